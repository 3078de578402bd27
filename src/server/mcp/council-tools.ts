// Tools for agents to ask a council and read the result: ask, verdict, archives.
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { checkInput } from '../../core/app/input/check-input.ts';
import type { Fields, Raw } from '../../core/app/input/fields.ts';
import { OWNER_ROLES } from '../../core/app/app.ts';
import { cleanForTerminal } from '../../core/base/terminal.ts';
import { asCouncilError, toErrorDocument } from '../../core/base/errors.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { ArchiveExport } from '../verdict.ts';
import { createRefusal, performReceivedCall, refuseUnknownArguments } from '../remote/call-access.ts';
import type { CallName } from '../remote/calls.ts';
import type { Host } from '../remote/host.ts';
import { createGivenText } from '../remote/perform-call.ts';
import type { Caller, CallOutcome } from '../remote/perform-call.ts';
import type { BackgroundCouncil, BackgroundCouncils } from './background-councils.ts';
import { describeProgress } from './background-councils.ts';
import { COUNCIL_TOOLS, describeEffects, DESCRIPTIONS, FIELDS } from './council-tool-definitions.ts';
import type { CouncilTool } from './council-tool-definitions.ts';
import { createReport, toMcpSchema, buildPagedTextResult, toToolResult } from './tool-results.ts';
import type { CallSignals } from './tool-results.ts';
import { ANSWER_BYTES, composeVerdict, shortenToBytes } from '../verdict.ts';

interface ToolContext {
  host: Host;
  councils: BackgroundCouncils;
  caller: Caller;
  /** Returns a signal that aborts when the call ends early. */
  getAbortSignal(ends: CallSignals): AbortSignal;
}

/** Registers those of the three tools that the client wants. */
export function addCouncilTools(server: McpServer, tools: ReadonlySet<string>, asking: ToolContext): void {
  const perform = { ask, verdict: answerVerdict, archives: answerArchives };
  for (const name of COUNCIL_TOOLS.filter((tool) => tools.has(tool)))
    server.registerTool(
      name,
      {
        title: DESCRIPTIONS[name].title,
        description: DESCRIPTIONS[name].description,
        inputSchema: toMcpSchema(FIELDS[name]),
        annotations: describeEffects(DESCRIPTIONS[name]),
      },
      async (given, ends) => {
        try {
          const refused = refuseUnknownArguments(name, Object.keys(FIELDS[name]), given);
          return refused ? toToolResult(refused) : await perform[name](asking, given, ends);
        } catch (error) {
          return toToolResult({ document: { error: toErrorDocument(asCouncilError(error)) }, failed: true });
        }
      },
    );
}

const check = <F extends Fields>(command: CouncilTool, fields: F, given: Raw) =>
  checkInput(fields, given, { command, env: {}, isOwnCommandLine: false, text: createGivenText });

async function ask(asking: ToolContext, given: Raw, ends: CallSignals): Promise<CallToolResult> {
  const { councils, caller } = asking;
  if (!OWNER_ROLES.includes(caller.role)) return toToolResult(refuseToPlay());
  const { question, debate } = check('ask', FIELDS.ask, given);
  // Validated when the council is opened.
  const { context, seats, table } = given;
  const council = await councils.ask(caller, {
    topic: question,
    ...(context !== undefined && { brief: context }),
    ...(seats !== undefined && { agents: seats }),
    ...(table !== undefined && { table }),
    ...(debate && { debate }),
  });
  return tellVerdict(asking, council, ends);
}

async function answerVerdict(asking: ToolContext, given: Raw, ends: CallSignals): Promise<CallToolResult> {
  const { councils, caller } = asking;
  const { name } = check('verdict', FIELDS.verdict, given);
  const known = councils.find(caller, name);
  if (known) return tellVerdict(asking, known, ends);
  const state = await councils.findActive(caller, name);
  if (!state) return showVerdict(asking, name ?? 'last', ends);
  if (!OWNER_ROLES.includes(caller.role)) return buildTextResult(`${state.name}: ${describeProgress(state)}`);
  return tellVerdict(asking, councils.resume(caller, state.name), ends);
}

/** Waits for a council, and returns its verdict or progress. */
async function tellVerdict(
  asking: ToolContext,
  council: BackgroundCouncil,
  ends: CallSignals,
): Promise<CallToolResult> {
  const { councils, caller, getAbortSignal: gone } = asking;
  const tell = createReport(ends);
  let steps = 0;
  const report = (line: string): void => tell?.((steps += 1), line);
  const line = await councils.wait(caller, council, { gone: gone(ends), report });
  const { name, result } = council;
  if (!result)
    return buildTextResult(
      `Still deliberating: call verdict ${JSON.stringify({ name })}. ${line}. It goes on in the meantime, and nothing is launched twice.`,
    );
  const { archive, notices } = result.document as { archive?: string; notices?: string[] };
  return archive === undefined ? toToolResult(result) : showVerdict(asking, archive, ends, notices);
}

async function showVerdict(
  asking: ToolContext,
  archive: string,
  ends: CallSignals,
  notices?: string[],
): Promise<CallToolResult> {
  const done = await performFromTool(asking, 'show', { archive }, ends);
  return done.failed
    ? toToolResult(done)
    : buildTextResult(composeVerdict(done.document as ArchiveExport, notices));
}

const refuseToPlay = (): CallOutcome =>
  createRefusal(
    'forbidden',
    'Asking a council launches agents, and this token may not do that.',
    'The owner of the project can make a token that may: council token create --role admin',
  );

const performFromTool = (
  { host, caller, getAbortSignal: gone }: ToolContext,
  name: CallName,
  given: Raw,
  ends: CallSignals,
): Promise<CallOutcome> => performReceivedCall(host, { name, given, caller, via: 'mcp' }, gone(ends));

const buildTextResult = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: cleanForTerminal(text) }],
});

/** Maximum number of lines in an answer. */
const LINES = { list: 15, search: 8 };

async function answerArchives(asking: ToolContext, given: Raw, ends: CallSignals): Promise<CallToolResult> {
  const { action, query, archive, cursor } = check('archives', FIELDS.archives, given);
  if (action === 'show') return showArchive(asking, { archive: archive ?? 'last', cursor }, ends);
  const page = { limit: LINES[action], ...(cursor !== undefined && { cursor }) };
  const isSearch = action === 'search';
  const done = await performFromTool(asking, action, isSearch ? { ...page, query } : page, ends);
  if (done.failed) return toToolResult(done);
  const { archives: all = [], results = [], nextCursor } = done.document as ArchiveRows;
  const rows = isSearch ? results : all;
  const lines = rows.map(({ id, topic, outcome, excerpt }) =>
    [
      `- ${id}: ${shortenToBytes(toOneLine(topic, 500), 120)}`,
      shortenToBytes(outcome ?? excerpt ?? '', isSearch ? 400 : 120),
    ].join('\n  '),
  );
  const more = nextCursor
    ? `More: archives ${JSON.stringify({ action, ...(isSearch && { query }), cursor: nextCursor })}`
    : '';
  return buildTextResult(
    [...(lines.length > 0 ? lines : [isSearch ? 'Nothing found.' : 'There is no archive yet.']), more]
      .filter(Boolean)
      .join('\n'),
  );
}

interface ArchiveRow {
  id: string;
  topic: string;
  outcome?: string;
  excerpt?: string;
}

interface ArchiveRows {
  archives?: ArchiveRow[];
  results?: ArchiveRow[];
  nextCursor?: string | null;
}

async function showArchive(
  asking: ToolContext,
  { archive, cursor }: { archive: string; cursor: string | undefined },
  ends: CallSignals,
): Promise<CallToolResult> {
  const found = await performFromTool(asking, 'show', { archive }, ends);
  if (found.failed) return toToolResult(found);
  const { id } = (found.document as ArchiveExport).meta;
  const { host, caller, getAbortSignal: gone } = asking;
  const whole = await host.perform(
    { name: 'export', input: { archive: id, format: 'md' }, caller },
    gone(ends),
  );
  if (whole.failed) return toToolResult(whole);
  const { content } = whole.document as { content: string };
  return buildPagedTextResult(cleanForTerminal(content), {
    call: `archives ${JSON.stringify({ action: 'show', archive: id })}`,
    cursor,
    bytes: ANSWER_BYTES - 300,
  });
}
