/** The code that Node gave a failure of the system, for texts and comparisons. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
