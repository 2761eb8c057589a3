/** Bounds the work for one schema: references and combinations can multiply without end. */

/** The schema needs more work than it may. */
export class WorkExceeded extends Error {}

export class Meter {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  step(): void {
    if (--this.#left < 0) throw new WorkExceeded('a schema needs too many steps');
  }
}
