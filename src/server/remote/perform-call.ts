// Performs one call for a remote caller and returns its result or refusal.
import { asCouncilError, CouncilError, toErrorDocument } from '../../core/base/errors.ts';
import type { ErrorCode } from '../../core/base/errors.ts';
import { sha256OfParts } from '../../core/base/ids.ts';
import { requireCleanText } from '../../core/base/text.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App, Caller } from '../../core/app/app.ts';
import type { TextSource, Raw } from '../../core/app/input/fields.ts';
import { requirePermission } from '../../core/app/permissions.ts';
import { hideInAnswer } from '../../core/app/hidden-folders.ts';
import { createQuietTeller } from '../../core/app/progress.ts';
import { createTroubleFinder, explainFailure, awaitWhileReadable } from './store-trouble.ts';
import type { CallExtras } from './call.ts';
import { callableUseCases, getCallDefinition, listCallFields, isCall, findMissingFields } from './calls.ts';
import type { UseCaseName, CallName } from './calls.ts';
import { cutPage } from './paginate-lists.ts';
import { readToken, createSeatOverError } from '../../core/council/use/participant-tokens.ts';
import { parse } from '../../core/council/document/document.ts';
import { openWorkspace } from '../../core/app/workspace.ts';

export { isParticipantToken } from '../../core/app/app.ts';
export type { Caller } from '../../core/app/app.ts';

/** A call with its caller, as one JSON document. */
export interface RemoteCall {
  name: UseCaseName;
  /** The unchecked input by field names. */
  input: Raw;
  caller: Caller;
  /** The interface used; tools by default. */
  via?: 'mcp' | 'api';
  /** The required revision of the council. */
  revision?: number | undefined;
  /** The idempotency key. */
  key?: string | undefined;
  /** Whether a command line asks, which wants more than the document. */
  tells?: boolean;
}

export interface CallOutcome {
  /** The document of the use case; `{error}` for a refusal. */
  document: unknown;
  failed: boolean;
  /** The error code, which determines a command's exit code. */
  code?: ErrorCode | undefined;
  /** True if council itself failed, rather than refused. */
  isFault?: true;
  /** What a command line shows besides the document. */
  told?: CallExtras;
}

/**
 * Performs a call of a remote client; the only place where results are returned to it. Never throws: a refusal is
 * also `Done`. Folders of this machine are hidden from everyone but the owner.
 */
export async function performCall(own: App, asked: RemoteCall, signal: AbortSignal): Promise<CallOutcome> {
  const { name, input, caller } = asked;
  const notes: string[] = [];
  const isCalled = isCall(name) ? getCallDefinition(name) : undefined;
  // Messages to a text's author may reveal its length or words, and a server's log has other readers.
  const note = (line: string) => (notes.push(line), isCalled?.turn || own.note(line));
  const app = createCallApp(own, asked, signal, note);
  const findTrouble = createTroubleFinder(own);
  try {
    // `wait` handles this itself, as its council may be over.
    const token = isCalled?.turn && name !== 'wait' ? await findSeatToken(app, caller) : caller.token;
    if (token !== undefined) app.env = { ...app.env, COUNCIL_TOKEN: token };
    const given = { env: app.env, isOwnCommandLine: false, text: createGivenText };
    const permitted = requirePermission(app, { name, fields: callableUseCases[name].fields }, input);
    app.turn = permitted.turn;
    if (asked.via === 'mcp' && isCall(name)) requireArguments(name, permitted.raw);
    const page =
      isCalled?.pages &&
      asked.via &&
      cutPage(isCalled.pages, permitted.raw, callableUseCases[name].fields, {
        given: { ...given, command: name },
        isBounded: asked.via === 'mcp',
      });
    const perform = callableUseCases[name].perform(app, page?.raw ?? permitted.raw, given);
    const result = await awaitWhileReadable(findTrouble, perform);
    const { failed: code } = result;
    const document = page ? page.cut(result.document) : result.document;
    const told = asked.tells && { told: { notes, page: isCalled?.told?.(result) } };
    const done = { document, failed: code !== undefined, ...(code && { code }), ...told };
    return hideInAnswer(app, done);
  } catch (thrown) {
    const failure = await withItsArchive(app, asked, asCouncilError(thrown));
    const error = await explainFailure(findTrouble, failure);
    const refused = toCallerRefusal(app, caller, error, asked.tells ? notes : undefined);
    return thrown instanceof CouncilError || error !== failure ? refused : { ...refused, isFault: true };
  }
}

/** Sender and recipient of a message are never guessed. Throws `usage`. */
function requireArguments(name: CallName, raw: Raw): void {
  const [missing] = findMissingFields(name, raw);
  if (missing === undefined) return;
  const what = listCallFields(name, 'mcp')[missing]?.help;
  throw new CouncilError('usage', `The argument ${missing} of ${name} is missing: ${what}.`, {
    hint: `Call ${name} again with ${missing}.`,
  });
}

/** If the council is over, the error names its archive, as on a terminal. */
async function withItsArchive(
  app: App,
  { name, via }: RemoteCall,
  error: CouncilError,
): Promise<CouncilError> {
  if (via !== 'api' || error.code !== 'unknown_council') return error;
  const { mentionArchive } = await import('../../core/app/find-deliberation.ts');
  return mentionArchive(app, error, name).catch(asCouncilError);
}

/** Creates the app for one call, without a terminal. */
const createCallApp = (own: App, asked: RemoteCall, signal: AbortSignal, note: App['note']): App => ({
  ...own,
  note,
  via: asked.via ?? 'mcp',
  caller: asked.caller,
  atRevision: asked.revision,
  request: buildCallRequestKey(asked),
  startedAt: Date.now(),
  progress: createQuietTeller({ note }),
  interruption: () => signal,
  ask: undefined,
});

/** Binds an idempotency key to its sender: the same key from another sender is a different request. */
function buildCallRequestKey({ key, input, caller }: RemoteCall): App['request'] {
  if (key === undefined) return undefined;
  const { role, id = '', participant = '', council = '' } = caller;
  return {
    key: sha256OfParts(['council-request', role, id, participant, council, key]),
    asked: sha256OfParts(['council-asked', key, JSON.stringify(input)]),
  };
}

/** Wraps a text that is given directly. */
export function createGivenText(text: string | undefined): TextSource | undefined {
  if (text === undefined) return undefined;
  requireCleanText(text, 'The text');
  return { from: '-', bytes: async () => Buffer.from(text) };
}

export const toCallerRefusal = (
  app: App,
  caller: Caller,
  error: CouncilError,
  notes?: string[],
): CallOutcome =>
  hideInAnswer(overrideApp(app, { caller }), {
    document: { error: toErrorDocument(error) },
    failed: true,
    code: error.code,
    ...(notes && { told: { notes } }),
  });

// Checks that an access token's seat belongs to that very council.

/**
 * Returns the participant's own token, as the council requires. Throws `unknown_council` if that council is over,
 * even if another has its name now.
 */
async function findSeatToken(app: App, caller: Caller): Promise<string | undefined> {
  const { participant, council: name, conversationId, token } = caller;
  if (token !== undefined) return token;
  if (participant === undefined || name === undefined || conversationId === undefined) return undefined;
  const { ports } = openWorkspace(app);
  const stored = await ports.store.read(name);
  const state = stored && parse(stored.text, `council "${name}"`).state;
  if (state?.conversationId !== conversationId) throw createSeatOverError(name);
  return readToken(ports.privateFiles, state, participant);
}
