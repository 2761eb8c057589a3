export const promised: readonly (readonly [label: string, key: string])[];
