import { describe, expect, it } from 'vitest';
import { createFront } from '../../src/front/create-front.ts';
import { dynamicInstructions, flatInstructions, metaInstructions } from '../../src/front/model-text/instructions.ts';
import { createWorkbench } from '../../src/index.ts';
import { getToolbox } from '../../src/workbench/calls/resolve.ts';
import { scopeView } from '../../src/workbench/view/workbench-view.ts';
import { parse } from '../config/support.ts';

const right = { command: 'x' };
const wrong = { command: 'x', args: 'oops' };
const file = {
  toolboxes: {
    open: { mcpServers: { good: right, bad: wrong } },
    closed: { mcpServers: { fine: right, hidden: wrong } },
    'my box': { mcpServers: { lost: right } },
  },
};

describe.each(Object.entries({ metaInstructions, dynamicInstructions, flatInstructions }))('%s', (_, instructions) => {
  it('name what is left out, with code and fix', () => {
    const text = instructions(parse(file, { leaveOut: true }));
    expect(text).toMatch(/server "bad" \[WB1405\]: .*must be a list.*Correct the marked place/);
    expect(text).toContain('toolbox "my box" [WB1406]: ');
  });

  it('fit into what clients pass on, whatever is wrong and however much is right', () => {
    const many = (count: number, entry: object, name: string) =>
      Object.fromEntries(Array.from({ length: count }, (__, at) => [`${name}-${at}-${'x'.repeat(60)}`, entry]));
    const mcpServers = { ...many(100, right, 'right'), ...many(100, wrong, 'wrong') };
    const text = instructions(parse({ mcpServers }, { leaveOut: true }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
    expect(text).toContain('server "wrong-0');
  });
});

describe('a client that may use some toolboxes only', () => {
  it('a client that may use some toolboxes only hears nothing of what is wrong in others, by status, instructions or warning', async () => {
    const workbench = createWorkbench({ config: parse(file, { leaveOut: true }) });
    const bench = scopeView(workbench, { toolboxes: new Set(['open']) });
    const heard: string[] = [];
    createFront(bench).onWarning((text) => heard.push(text));
    workbench.warn('toolbox "closed": server "hidden"');
    expect(bench.servers().map(({ name }) => name)).toEqual(['good', 'bad']);
    expect(metaInstructions(bench.config)).not.toMatch(/hidden|my box|lost/);
    expect(heard).toEqual([expect.not.stringMatching(/hidden|closed/)]);
    await workbench.close();
  });
});

describe('a toolbox that is left out', () => {
  it('a toolbox that is left out is not found, and whoever asks for it is told why', async () => {
    const workbench = createWorkbench({ config: parse(file, { leaveOut: true }) });
    expect(() => getToolbox(workbench.snapshot, 'my box')).toThrow("Toolbox 'my box' not found");
    try {
      getToolbox(workbench.snapshot, 'my box');
    } catch (error) {
      expect((error as { fix: string }).fix).toMatch(/left out .*\[WB1406\] Available toolboxes: 'open', 'closed'/);
    }
    await workbench.close();
  });
});
