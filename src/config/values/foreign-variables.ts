/** Variables of other clients that are not environment variables: their meaning here, or what to write instead. */

export interface Variables {
  /** The value of a variable; an empty value is a value. */
  find(name: string): string | undefined;
  /** The content of a file that stands for a value; undefined when it cannot be read. */
  readFile(path: string): string | undefined;
  readonly workspaceFolder: string;
  readonly userHome: string;
  /** The separator between the parts of a path. */
  readonly pathSeparator: string;
}

type Built = Pick<Variables, 'workspaceFolder' | 'userHome' | 'pathSeparator'>;

const builtIns: ReadonlyMap<string, (known: Built) => string> = new Map([
  ['workspaceFolder', (known: Built) => known.workspaceFolder],
  ['workspaceRoot', (known: Built) => known.workspaceFolder],
  ['workspaceFolderBasename', (known: Built) => lastPart(known.workspaceFolder)],
  ['userHome', (known: Built) => known.userHome],
  ['pathSeparator', (known: Built) => known.pathSeparator],
  ['/', (known: Built) => known.pathSeparator],
]);

export function builtIn(name: string, known: Built): string | undefined {
  return builtIns.get(name)?.(known);
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

const editorOnly: ReadonlySet<string> = new Set([
  'cwd',
  'file',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileDirname',
  'fileDirnameBasename',
  'fileExtname',
  'fileWorkspaceFolder',
  'relativeFile',
  'relativeFileDirname',
  'lineNumber',
  'columnNumber',
  'selectedText',
  'execPath',
  'defaultBuildTask',
]);

/** VS Code and Cursor fill these in from what is open in them. */
export function isEditorOnly(name: string): boolean {
  return editorOnly.has(name);
}

/** What to write for a `${…}` that is not a variable of ours, where its content shows that. */
export function adviseFor(inner: string): string | undefined {
  const name = '([A-Za-z_][A-Za-z0-9_]*)';
  // Continue and others write ${{ secrets.NAME }}; we see it only up to the first closing brace.
  const secret = new RegExp(`^\\{\\s*(?:secrets|inputs|env)\\.${name}\\s*$`).exec(inner)?.[1];
  if (secret !== undefined) return `\${${secret}}`;
  const spaced = new RegExp(`^\\s*${name}\\s*$`).exec(inner)?.[1];
  if (spaced !== undefined) return `\${${spaced}}`;
  if (inner.startsWith('workspaceFolder:')) return '${workspaceFolder}';
  if (/^(?:config|command):/.test(inner)) return undefined;
  const [, plain, fallback] = new RegExp(`^${name}(?::|-|:=|=)([^-].*)$`, 's').exec(inner) ?? [];
  return plain === undefined || fallback === undefined ? undefined : `\${${plain}:-${fallback}}`;
}
