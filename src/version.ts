/** Our own version, taken from package.json when the program is built. */
declare const __VERSION__: string | undefined;

export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source';
