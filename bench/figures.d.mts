export interface Subject {
  readonly scenario: string;
  readonly name: string;
  readonly of: string;
  readonly against: string;
  readonly unit: string;
}
export interface Figure extends Subject {
  readonly own?: number;
  readonly base?: number;
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly refused?: string;
  readonly runs?: number;
  readonly target?: string;
  readonly verdict?: 'ok' | 'miss';
}
export interface Figures {
  add(found: Subject & ({ own: readonly number[]; base: readonly number[] } | { refused: string })): void;
  addFound(figure: Figure): void;
  note(text: string): void;
  readonly each: readonly Figure[];
  notes(): string[];
  all(): Figure[];
}
export function createFigures(onFigure?: (figure: Figure) => void): Figures;
