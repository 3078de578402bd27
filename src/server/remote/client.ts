// Calls a remote server for the command line, with the documents and errors of local calls; keeps unsent texts here.

import { CouncilError, EXIT_CODES, asCouncilError } from '../../core/base/errors.ts';
import type { ErrorCode } from '../../core/base/errors.ts';
import type { App, Result } from '../../core/app/app.ts';
import { isDocument, isProblem, isTold } from './answers.ts';
import type { CallName } from './calls.ts';
import { isLong, TOLD_TYPE } from './call.ts';
import { post, createForeignAnswerError, createNotNowError, createUnreachableError } from './post-json.ts';
import type { ServerAnswer } from './post-json.ts';
import type { EditorDraft } from '../../core/app/input/fields.ts';
import { prepareResponseDraft } from '../../core/app/respond.ts';
import type { View } from '../../core/app/view.ts';
import { isId, sha256 } from '../../core/base/ids.ts';
import type { KeepResult } from '../../core/council/state/state.ts';
import { openPrivateDir, getPrivateRoot } from '../../core/store/file/private-dir.ts';

interface AskedElsewhere {
  server: string;
  name: CallName;
  input: Readonly<Record<string, unknown>>;
}

/**
 * Has a server perform the call. Throws what the use case would throw, and `unreachable` if no
 * council server answers with a valid result.
 */
export async function askServer(app: App, asked: AskedElsewhere): Promise<Result & { page?: unknown }> {
  const { server, name, input } = asked;
  const answer = await sendRequest(app, asked, buildApiUrl(server, name), JSON.stringify(input));
  if (answer.status >= 200 && answer.status < 300) {
    if (answer.type !== TOLD_TYPE || !isTold(name, answer.body))
      throw createForeignAnswerError(server, answer);
    const { notes, document, page } = answer.body;
    for (const note of notes) app.note(note);
    return { document, page };
  }
  return handleServerError(app, asked, answer);
}

/** Converts a failed answer to its document, or throws its error. */
function handleServerError(app: App, { server, name }: AskedElsewhere, answer: ServerAnswer): Result {
  const { status, body } = answer;
  if (status === 502 || status === 503)
    throw createNotNowError(server, isProblem(body) ? body.detail : `it answers with status ${status}`);
  if (!isProblem(body)) throw createForeignAnswerError(server, answer);
  const { code, detail, hint, notes = [], document = {} } = body;
  for (const note of notes) app.note(note);
  if (code === 'unauthorized') throw createUnauthorizedError(app, server, detail);
  const { error = {}, ...rest } = document;
  if (Object.keys(rest).length > 0) {
    if (!isDocument(name, document)) throw createForeignAnswerError(server, answer);
    return { document, failed: toErrorCode(body.failed) };
  }
  // Paths on the server are of no use here.
  const { code: _code, message: _message, hint: _hint, kept: _kept, ...details } = error;
  throw new CouncilError(toErrorCode(code), detail, { details, ...(hint && { hint }) });
}

/** Error for a missing or wrong token: on a command line it comes from COUNCIL_TOKEN. */
function createUnauthorizedError({ env }: App, server: string, detail: string): CouncilError {
  const { origin } = new URL(server);
  return env.COUNCIL_TOKEN
    ? new CouncilError(
        'forbidden',
        `${origin} does not let in who has the token in COUNCIL_TOKEN: ${detail}`,
        {
          hint: 'Whoever runs that server sees which ones are valid with council token list, and makes one with council token create.',
        },
      )
    : new CouncilError('forbidden', `${origin} asks for a token, and COUNCIL_TOKEN is not set.`, {
        hint: 'Set it to yours: export COUNCIL_TOKEN=council_at_… Whoever runs that server makes one: council token create',
      });
}

/** Error codes that only a server has, and their equivalents with an exit code. */
const SERVER_CODES = new Map<string, ErrorCode>([
  ['unauthorized', 'forbidden'],
  ['too_many_requests', 'conflict'],
  ['bad_request', 'usage'],
]);

const toErrorCode = (code = ''): ErrorCode =>
  Object.hasOwn(EXIT_CODES, code) ? (code as ErrorCode) : (SERVER_CODES.get(code) ?? 'failed');

/** Returns the URL of a call or of the events. Throws `usage` for an invalid address. */
export function buildApiUrl(server: string, name: string): string {
  const url = URL.parse(server);
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '')
    return `${url.href.replace(/\/+$/, '')}/api/v1/${name}`;
  throw new CouncilError('usage', 'The server must be an address such as https://council.example:7333.', {
    hint: 'Set COUNCIL_SERVER, or give --server URL.',
  });
}

/** Calls that would be repeated if sent again, with how to check whether they took effect. */
const ADDS: Partial<Record<CallName, string>> = {
  task: 'Whether it was: council task list. A task goes on there: council task play ID',
  send: 'Whether it was: council sent',
};

async function sendRequest(
  app: App,
  { server, ...asked }: AskedElsewhere,
  url: string,
  body: string,
): Promise<ServerAnswer> {
  const { COUNCIL_TOKEN: token, COUNCIL_TURN: turn } = app.env;
  try {
    return await post(url, {
      // On a command line the user has seen the council and means its current revision.
      headers: {
        'Content-Type': 'application/json',
        Accept: `${TOLD_TYPE}, application/json`,
        'If-Match': '*',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(turn && { 'Council-Turn': turn }),
      },
      body,
      signal: app.interruption(),
      isLong: asked.name === 'wait' || isLong(asked),
    });
  } catch (error) {
    if (app.interruption().aborted)
      throw new CouncilError('interrupted', 'Interrupted. The server may have done it all the same.', {
        hint: ADDS[asked.name] ?? 'The same call again is safe.',
      });
    throw createUnreachableError(server, error);
  }
}

/** Prepares a draft like that of a local council. */
export const prepareRemoteDraft = (
  app: App,
  server: string,
  input: Readonly<Record<string, unknown>>,
  replace: boolean,
): Promise<EditorDraft> =>
  prepareResponseDraft(async () => (await askServer(app, { server, name: 'view', input })).document as View, {
    replace,
  });

interface UnsentContribution {
  agent: unknown;
  text: Uint8Array | undefined;
}

/** Adds to the error where the contribution is kept on this machine. */
export async function keepAfterError(app: App, thrown: unknown, said: UnsentContribution): Promise<unknown> {
  if (!(thrown instanceof CouncilError) || !said.text?.length) return thrown;
  const kept = await keep(app, said);
  const { code, message, hint, details } = thrown;
  const again = code === 'unreachable' && typeof kept === 'string';
  return new CouncilError(code, message, {
    ...(hint !== undefined && { hint: again ? `${hint} Sending it again is safe: --file ${kept}` : hint }),
    details: { ...details, kept },
    cause: thrown,
  });
}

/** Adds the same to the document of a refusal. */
export async function keepAfterRefusal<R extends Result>(
  app: App,
  result: R,
  said: UnsentContribution,
): Promise<R> {
  if (result.failed === undefined || !said.text?.length) return result;
  return { ...result, document: { ...(result.document as object), kept: await keep(app, said) } };
}

async function keep(
  { env }: App,
  { agent, text = new Uint8Array() }: UnsentContribution,
): Promise<KeepResult> {
  const by = isId(agent) ? agent : 'nobody';
  try {
    // It belongs to no project on this machine.
    const files = openPrivateDir({ env, projectRoot: `${getPrivateRoot(env)}-of-no-project` });
    return await files.keep(`unsent-${by}-${sha256(text).slice(0, 16)}.md`, text);
  } catch (error) {
    return { failed: asCouncilError(error).message };
  }
}
