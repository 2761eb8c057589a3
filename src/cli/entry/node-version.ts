/** Whether this Node.js can run the program at all. Imports nothing: it must work where nothing else does. */

const needed = { major: 20, minor: 19 };

/** The message when it cannot; `version` as in `process.version`. */
export function findNodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > needed.major || (major === needed.major && minor >= needed.minor)) return undefined;
  return [
    `✗ mcp-workbench needs Node.js ${needed.major}.${needed.minor} or newer; this is ${version}.`,
    '  Fix  Install a current Node.js and make sure that the client uses it.',
    '  WB1009',
    '',
  ].join('\n');
}
