/** The tool `describe_tools`: the parameters of tools with their docs, or their whole definitions. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findObject, type JsonObject } from '../../base/json/json.ts';
import type { Address, Entry } from '../../toolbox/toolbox.ts';
import { getEntry, getPlacement, getToolbox } from '../../workbench/calls/resolve.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { describeFailure, errorResult, structuredResult, textResult } from '../calls/tool-result.ts';
import { parseDescribe } from '../model-text/search-input.ts';
import { publicTool } from '../uris/public-uris.ts';
import { readToolText } from './named-tool.ts';
import { toToolDocs } from './tool-docs.ts';

type Described = { readonly entry: Entry } | { readonly problem: string };

export async function describeTools(bench: WorkbenchView, call: Call): Promise<CallOutcome> {
  const input = parseDescribe(findObject(call.params, 'arguments') ?? {}, (value) => readToolText(bench, value));
  if ('problem' in input)
    return errorResult(`${input.problem}. Take "toolbox", "server" and "name" from the answer of search_tools.`);
  const { tools, format } = input.value;
  const described = await Promise.all(tools.map((tool) => findDescribed(bench, tool)));
  const found = described.flatMap((each) => ('entry' in each ? [each.entry] : []));
  const problems = described.flatMap((each) => ('problem' in each ? [each.problem] : []));
  if (found.length === 0) return errorResult(problems.join('\n'));
  if (format === 'ts') return textResult([...found.map((entry) => toToolDocs(entry)), ...problems].join('\n\n'));
  return structuredResult({
    tools: found.map((entry) => toWhole(bench, entry)),
    ...(problems.length === 0 ? {} : { problems }),
  });
}

function toWhole(bench: WorkbenchView, entry: Entry): JsonObject {
  const { toolbox, server } = entry.address;
  return { ...publicTool(bench, entry), server, toolbox };
}

/** A server whose tools are not known is started first. */
async function findDescribed(bench: WorkbenchView, address: Address): Promise<Described> {
  try {
    const { key } = getPlacement(getToolbox(bench.snapshot, address.toolbox), address.server);
    if (bench.statusOf(key).tools === undefined) {
      bench.startMissing([key]);
      await bench.settled([key]);
    }
    return { entry: findKnown(bench, address, key) };
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    return { problem: describeFailure(error, address) };
  }
}

function findKnown(bench: WorkbenchView, address: Address, key: string): Entry {
  const { failure, tools } = bench.statusOf(key);
  if (tools === undefined && failure !== undefined)
    throw new WorkbenchError(failure.code, failure.message, { fix: failure.fix });
  return getEntry(getToolbox(bench.snapshot, address.toolbox), 'tools', address);
}
