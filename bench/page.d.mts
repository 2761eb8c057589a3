import type { Saved } from './saved.mjs';

export function toPage(found: Saved): string;
