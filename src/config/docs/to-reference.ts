/** The reference page of the configuration file, as Markdown. */
import { toMarkdownTable } from '../../base/text/markdown-table.ts';
import { smallestFile } from '../document/smallest-file.ts';
import {
  authShape,
  configShape,
  httpShape,
  instanceShape,
  oauthShape,
  serverShape,
  toolboxShape,
} from '../model/schema.ts';
import type { ObjectShape, Shape } from '../model/schema-dsl.ts';
import { limitsShape } from '../model/schema-limits.ts';
import { argumentShape, toolShape } from '../model/schema-tools.ts';
import {
  foreignShapes,
  ignoredKeys,
  ignoredOauthKeys,
  oauthKeys,
  toReading,
  understoodKeys,
  unheldKeys,
} from '../read/foreign.ts';

export function toReference(): string {
  return `${[
    '# Configuration',
    '<!-- Generated from src/config/model/schema.ts and src/config/read/foreign.ts; change those. -->',
    'The file is JSON; comments and trailing commas are allowed. The Workbench reports all mistakes in it at once, each with its line.',
    '## Top level',
    keyTable(configShape),
    '## A server (`mcpServers.<name>`)',
    `${serverShape.doc} Exactly one of \`command\` and \`url\` is needed.`,
    keyTable(serverShape),
    '## An instance (`mcpServers.<name>.instances.<instance>`)',
    instanceShape.doc,
    keyTable(instanceShape),
    '## A tool (`mcpServers.<name>.tools.<tool>`)',
    toolShape.doc,
    keyTable(toolShape),
    '## An argument of a tool (`mcpServers.<name>.tools.<tool>.arguments.<argument>`)',
    argumentShape.doc,
    keyTable(argumentShape),
    '## Signing in (`mcpServers.<name>.oauth`)',
    oauthShape.doc,
    keyTable(oauthShape),
    '## A toolbox (`toolboxes.<name>`)',
    toolboxShape.doc,
    keyTable(toolboxShape),
    '## Serving HTTP (`http`)',
    httpShape.doc,
    keyTable(httpShape),
    '## Tokens of an issuer (`auth`)',
    authShape.doc,
    keyTable(authShape),
    '## Limits (`limits`)',
    limitsShape.doc,
    keyTable(limitsShape),
    ...fileShapes,
    ...names,
    ...variables,
    ...places,
    ...foreign(),
  ].join('\n\n')}\n`;
}

function keyTable(shape: ObjectShape): string {
  const rows = Object.entries(shape.members).map(([key, member]) => [
    code(key),
    typeName(member),
    member.default === undefined ? '–' : code(JSON.stringify(member.default)),
    member.doc,
  ]);
  return table(['key', 'type', 'default', 'meaning'], rows);
}

function typeName(shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
      return `integer, ${shape.min} to ${shape.max}`;
    case 'choice':
      return shape.values.map((value) => code(value)).join(', ');
    case 'list':
      return `list of ${typeName(shape.of)}`;
    case 'record':
      return `object of ${typeName(shape.of)}`;
    case 'either':
      return shape.of.map(typeName).join(' or ');
    case 'object':
      return shape.name;
    case 'anything':
    case 'json':
      return 'anything';
    default:
      return shape.kind;
  }
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return toMarkdownTable(titles, rows).join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function block(text: string): string {
  return `\`\`\`jsonc\n${text}\n\`\`\``;
}

const fileShapes = [
  '## Shapes of the file',
  'The plain shape that most clients use. All its servers are in the toolbox `default`, and the mode is `flat`; in mode `meta` each server is a toolbox with the same name:',
  block(smallestFile),
  'Toolboxes with servers of their own. The mode is `meta`:',
  block(`{
  "toolboxes": {
    "notes": {
      "description": "Remember things between sessions",
      "mcpServers": {
        "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
      }
    }
  }
}`),
  'Both. A toolbox can name servers of the top level; the toolbox `default` holds the servers that no toolbox names. A server that is in several toolboxes with the same definition is started once:',
  block(`{
  "mcpServers": {
    "github": { "url": "https://api.githubcopilot.com/mcp/", "headers": { "Authorization": "Bearer \${GITHUB_TOKEN}" } },
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${PROJECT_ROOT:-.}"] }
  },
  "toolboxes": {
    "review": { "description": "Code review", "servers": ["github", "files"] }
  }
}`),
  'The Workbench also reads the file of VS Code: `servers` is its `mcpServers`. It does not read `inputs`: a server that uses `${input:…}` is refused, because the Workbench cannot ask its user. Write `${NAME}` there and set the variable.',
  'In the file of Claude Code (`~/.claude.json`), the Workbench reads the servers for all projects and those of the project that it is started in: the entry of `projects` for the folder in `CLAUDE_PROJECT_DIR`, else for the current folder, or the innermost one above it. Servers in its `disabledMcpServers` are switched off. `attach` does not share a daemon for this file.',
];

const names = [
  '## Names',
  'Names of toolboxes are made of letters, digits, `-` and `_`, and do not contain `__`. Names of servers may have other characters too, as in galleries of servers, but neither `__` nor control characters. Where a name must be plain, in modes `meta` and `dynamic`, such a server gets a label: `Microsoft Docs` is `Microsoft-Docs`, `io.github.upstash/context7` is `context7`. `list` shows both. In mode `flat` servers of the top level keep their names, which may contain `__`.',
];

const variables = [
  '## Variables',
  'The Workbench expands variables in every string value, but not in keys. One string stays one string, and the value of a variable is not expanded again.',
  table(
    ['written', 'becomes'],
    [
      [
        '`${NAME}`, `${env:NAME}`',
        'the variable NAME; when it is not set, the start stops and says so. An empty value is a value.',
      ],
      ['`${NAME:-text}`', 'the variable, or the text when it is not set. The text is taken as it is.'],
      ['`${workspaceFolder}`', 'the folder of the file, or the one above when that is `.vscode` or `.cursor`'],
      ['`${workspaceFolderBasename}`', 'the last part of its path'],
      ['`${userHome}`', 'your home folder'],
      ['`${pathSeparator}`, `${/}`', '`/`, or `\\` on Windows'],
      ['`{env:NAME}`', 'the same as `${NAME}`, with a note (opencode)'],
      ['`{file:path}`, `${file:path}`', 'the content of the file, without white space around it (opencode, Windsurf)'],
      ['`${input:id}`', 'an error: the Workbench cannot ask its user. Use a variable.'],
      ['`${fileDirname}`, `${cwd}` and others', 'an error, unless such a variable is set: only an editor knows them'],
      ['`$NAME`, `%NAME%`', 'not expanded: the text is passed on as it is, with a note when it looks like a variable'],
      ['`${{ secrets.NAME }}`, `${config:…}`, `${command:…}`', 'not expanded, with a note that says what to write'],
    ],
  ),
  'In a server with `"disabled": true`, a missing variable is only noted. Paths in `command`, `cwd` and `envFile` may begin with `~/`; relative ones start from `${workspaceFolder}`.',
];

const places = [
  '## Where the file is looked for',
  [
    '1. `--config <file>`',
    '2. the variable `WORKBENCH_CONFIG`',
    '3. `workbench.jsonc`, `workbench.json` or `workbench-config.json` in the current folder and above, up to the root of the repository (outside a repository: the current folder only); then the same from the folder in `CLAUDE_PROJECT_DIR`',
    '4. the same names in `$XDG_CONFIG_HOME/mcp-workbench`, else `~/.config/mcp-workbench`; on Windows `%APPDATA%\\mcp-workbench`',
  ].join('\n'),
  'The file, its folder, the `.git` that makes a folder above the root of the repository, and the files of `envFile` must belong to you or to root, and no other user may write to them (a group with you as its only member may). The search upward stops at the first folder that breaks this rule. `--trust-config` and `WORKBENCH_TRUST_CONFIG=1` turn the rule off. Windows is not checked.',
];

function foreign(): string[] {
  return [
    '## Keys of other clients',
    'The Workbench understands these keys in a server, with a note:',
    table(
      ['key', 'meaning here'],
      [...understoodKeys].map(([key, meant]) => [code(key), toReading(meant).replaceAll('"', '`')]),
    ),
    'A `command` that is a list is read as `command` and `args`; `cmd /c` in front of a command is left out.',
    'A `timeout` that is an object (opencode) is read as `startTimeoutMs` and `timeoutMs`.',
    `Inside \`oauth\`: ${[...oauthKeys].map(([key, ours]) => `${code(key)} is ${code(ours)}`).join(', ')}. Ignored there: ${[...ignoredOauthKeys.keys()].map(code).join(', ')}.`,
    'Keys that restrict a server in another client but not here have their own note (WB1412), as has `tools` as an object (approvals in Codex):',
    table(
      ['key', 'what holds'],
      [...unheldKeys].map(([key, reason]) => [code(key), reason.replaceAll('"', '`')]),
    ),
    'The Workbench ignores these keys, with a note:',
    table(
      ['key', 'why'],
      [...ignoredKeys].map(([key, reason]) => [code(key), reason.replaceAll('"', '`')]),
    ),
    'A key of another client that selects tools, headers or variables and cannot be read is an error. Any other key is ignored with a note, unless it looks like a misspelt key: that is an error, too. Keys that begin with `x-`, `_`, `//` or `$` are yours and are never reported.',
    `Files whose servers are under another top-level key must be renamed to \`mcpServers\`: ${[...foreignShapes]
      .map(([key, client]) => `${code(key)} (${client})`)
      .join(', ')}.`,
  ];
}
