// Calls of a server elsewhere, for the command line: the same document, and the same error, as if it had been done here.
import { CouncilError, EXIT_CODES, messageOf, systemCode } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { isId, sha256 } from '../../base/ids.ts';
import { privateDir, privateRoot } from '../../store/file/private-dir.ts';
import type { App, Result } from '../app.ts';
import { post } from './post.ts';
import type { Posted } from './post.ts';
import { TOLD_TYPE } from './told.ts';

/** What is asked of which server. */
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
 * Has a server do it. Throws what the use case would throw, and `unreachable` where nobody answers.
 */
export async function askServer(app: App, asked: AskedElsewhere): Promise<Result & { page?: unknown }> {
  const { name, input } = asked;
  const answer = await sent(app, asked, urlOf(asked.server, name), JSON.stringify(input));
  const { status, body: told } = answer;
  const problem = (typeof told === 'object' && told !== null ? told : {}) as Problem;
  for (const note of problem.notes ?? []) app.note(note);
  // A server of an earlier version tells the document alone.
  const isWhole = answer.type === TOLD_TYPE;
  if (status >= 200 && status < 300 && told !== undefined)
    return isWhole ? { document: problem.document, page: problem.page } : { document: told };
  if (problem.code === undefined || status === 503 || status === 502)
    throw unreachable(asked, {
      why: problem.detail ?? `it answers with status ${status}`,
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

async function sent(app: App, asked: AskedElsewhere, url: string, body: string): Promise<Posted> {
  const { COUNCIL_TOKEN: token } = app.env;
  try {
    return await post(url, {
      // Whoever sits at a command line has looked, and means the council as it is.
      headers: {
        'Content-Type': 'application/json',
        Accept: `${TOLD_TYPE}, application/json`,
        'If-Match': '*',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body,
      signal: app.interruption(),
    });
  } catch (error) {
    if (app.interruption().aborted)
      throw new CouncilError('interrupted', 'Interrupted. The server may have done it all the same.', {
        hint: 'The same call again is safe.',
      });
    throw unreachable(asked, whyNot(systemCode(error), error));
  }
}

const NOT_TRUSTED = /CERT|SIGNATURE|^ERR_TLS/;
const OTHER_PROTOCOL = /^(?:ERR_SSL|HPE_|EPROTO$)/;
const NO_SUCH_HOST = ['ENOTFOUND', 'EAI_AGAIN'];

/** Why a server was not reached, and what to look at first. */
interface Unreached {
  why: string;
  look: string;
}

function whyNot(code: string | undefined, cause: unknown): Unreached {
  const right = 'COUNCIL_SERVER, or --server, has its address.';
  if (code === undefined) return { why: messageOf(cause), look: `Is the address right? ${right}` };
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

const unreachable = ({ server }: AskedElsewhere, { why, look }: Unreached): CouncilError =>
  new CouncilError(
    'unreachable',
    `The server ${new URL(server).origin} cannot be reached: ${why.replace(/\.$/, '')}.`,
    { hint: look },
  );

/**
 * The error with the place of the contribution that it was about: that outlives a server that did not take it. One that says
 * already where it lies stays as it is.
 */
export async function keptHere(
  { env }: App,
  thrown: unknown,
  { agent, text }: { agent: unknown; text: Uint8Array | undefined },
): Promise<unknown> {
  if (!(thrown instanceof CouncilError) || 'kept' in thrown.details || !text?.length) return thrown;
  // It belongs to no project of this machine.
  const files = privateDir({ env, projectRoot: `${privateRoot(env)}-of-no-project` });
  const by = isId(agent) ? agent : 'nobody';
  const kept = await files.keep(`unsent-${by}-${sha256(text).slice(0, 16)}.md`, text);
  const { code, message, hint, details } = thrown;
  const isSafe = code === 'unreachable';
  return new CouncilError(code, message, {
    ...(hint !== undefined && { hint: isSafe ? `${hint} Sending it again is safe: --file ${kept}` : hint }),
    details: { ...details, kept },
    cause: thrown,
  });
}
