// Calls of a server elsewhere, for the command line: the same document, and the same error, as if it had been done here.
import { CouncilError, EXIT_CODES, messageOf, systemCode } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { isId, sha256 } from '../../base/ids.ts';
import { privateDir, privateRoot } from '../../store/file/private-dir.ts';
import type { App, Result } from '../app.ts';
import { TOLD_TYPE } from './told.ts';

/** What is asked of which server. `text`: what must not be lost when it does not answer. */
export interface AskedElsewhere {
  server: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
}

/** What a server answers. */
interface Problem {
  code?: string;
  detail?: string;
  hint?: string | null;
  failed?: string;
  document?: { error?: Record<string, unknown> };
  notes?: string[];
  page?: unknown;
}

/**
 * Has a server do it. Throws what the use case would throw; `unreachable` where nobody answers, with the path of a contribution
 * that was kept: sending it again is safe.
 */
export async function askServer(app: App, asked: AskedElsewhere): Promise<Result & { page?: unknown }> {
  const { name, input } = asked;
  const answer = await sent(app, asked, urlOf(asked.server, name), JSON.stringify(input));
  const told: unknown = await answer.json().catch(() => undefined);
  const problem = (typeof told === 'object' && told !== null ? told : {}) as Problem;
  for (const note of problem.notes ?? []) app.note(note);
  // A server of an earlier version tells the document alone.
  const isWhole = answer.headers.get('content-type') === TOLD_TYPE;
  if (answer.ok && told !== undefined)
    return isWhole ? { document: problem.document, page: problem.page } : { document: told };
  if (problem.code === undefined || answer.status === 503 || answer.status === 502)
    throw await unreachable(app, asked, {
      why: problem.detail ?? `it answers with status ${answer.status}`,
      look: 'Try again later.',
    });
  const { error, ...rest } = problem.document ?? {};
  if (Object.keys(rest).length > 0) return { document: problem.document, failed: codeOf(problem.failed) };
  const { code: _code, message: _message, hint: _hint, ...details } = error ?? {};
  throw new CouncilError(codeOf(problem.code), problem.detail ?? 'The server refused it.', {
    details,
    ...(problem.hint && { hint: problem.hint }),
  });
}

/** Codes of the server alone, as those that have an exit code. */
const OWN: Record<string, ErrorCode> = {
  unauthorized: 'forbidden',
  too_many_requests: 'conflict',
  bad_request: 'usage',
};

const codeOf = (code: string | undefined): ErrorCode =>
  code !== undefined && Object.hasOwn(EXIT_CODES, code) ? (code as ErrorCode) : (OWN[code ?? ''] ?? 'failed');

/** The address of a call, or of the events. Throws `usage` for what is no address. */
export function urlOf(server: string, name: string): string {
  const url = URL.parse(server);
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '')
    return `${url.href.replace(/\/+$/, '')}/api/v1/${name}`;
  throw new CouncilError('usage', 'The server must be an address such as https://council.example:7333.', {
    hint: 'Set COUNCIL_SERVER, or give --server URL.',
  });
}

async function sent(app: App, asked: AskedElsewhere, url: string, body: string): Promise<Response> {
  const { COUNCIL_TOKEN: token } = app.env;
  try {
    return await fetch(url, {
      method: 'POST',
      // Whoever sits at a command line has looked, and means the council as it is.
      headers: {
        'Content-Type': 'application/json',
        Accept: `${TOLD_TYPE}, application/json`,
        'If-Match': '*',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body,
      // A token goes where it was meant for, and nowhere else.
      redirect: 'error',
      signal: app.interruption(),
    });
  } catch (error) {
    if (app.interruption().aborted)
      throw new CouncilError('interrupted', 'Interrupted. The server may have done it all the same.', {
        hint: 'The same call again is safe.',
      });
    const cause = error instanceof Error ? error.cause : undefined;
    throw await unreachable(app, asked, whyNot(systemCode(cause), cause));
  }
}

const NOT_TRUSTED = /CERT|SIGNATURE|^ERR_TLS/;
const OTHER_PROTOCOL = /^(?:ERR_SSL|HPE_)/;
const NO_SUCH_HOST = ['ENOTFOUND', 'EAI_AGAIN'];

/** Why a server was not reached, and what to look at first. */
interface Unreached {
  why: string;
  look: string;
}

function whyNot(code: string | undefined, cause: unknown): Unreached {
  const right = 'COUNCIL_SERVER, or --server, has its address.';
  if (code === undefined)
    return { why: messageOf(cause ?? 'no answer'), look: `Is the address right? ${right}` };
  if (code === 'ECONNREFUSED')
    return { why: `nothing listens there (${code})`, look: `Is council serve running there? ${right}` };
  if (NO_SUCH_HOST.includes(code))
    return { why: `there is no such host (${code})`, look: `Is the name right? ${right}` };
  if (NOT_TRUSTED.test(code))
    return {
      why: `its certificate is not trusted (${code})`,
      look: 'NODE_EXTRA_CA_CERTS=FILE names who has signed it.',
    };
  if (OTHER_PROTOCOL.test(code))
    return { why: `it speaks another protocol (${code})`, look: `Is it http or https? ${right}` };
  return { why: code, look: `Is council serve running there? ${right}` };
}

/** A contribution outlives the server that did not take it. */
async function unreachable(
  app: App,
  { server, name, input }: AskedElsewhere,
  { why, look }: Unreached,
): Promise<CouncilError> {
  const { text, agent } = input;
  const kept =
    name === 'respond' && typeof text === 'string'
      ? await keep(app, isId(agent) ? agent : 'nobody', Buffer.from(text))
      : undefined;
  return new CouncilError(
    'unreachable',
    `The server ${new URL(server).origin} cannot be reached: ${why.replace(/\.$/, '')}.`,
    {
      hint: kept === undefined ? look : `${look} Sending it again is safe: --file ${kept}`,
      details: kept === undefined ? {} : { kept },
    },
  );
}

async function keep({ env }: App, agent: string, bytes: Buffer): Promise<string> {
  // It belongs to no project of this machine.
  const files = privateDir({ env, projectRoot: `${privateRoot(env)}-of-no-project` });
  return files.keep(`unsent-${agent}-${sha256(bytes).slice(0, 16)}.md`, bytes);
}
