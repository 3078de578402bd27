// Why a server was not reached, or is none of council's, and what to look at first.
import { CouncilError, describeThrown, systemCode } from '../../core/base/errors.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { oneLine } from '../../core/base/text.ts';
import { Beyond } from './post-json.ts';
import type { Posted } from './post-json.ts';

const NOT_TRUSTED = /CERT|SIGNATURE|^ERR_TLS/;
const OTHER_PROTOCOL = /^(?:ERR_SSL|HPE_|EPROTO$)/;
const NO_SUCH_HOST = ['ENOTFOUND', 'EAI_AGAIN'];
const RIGHT = 'COUNCIL_SERVER, or --server, has its address.';

/** Why a server was not reached, and what to look at first. */
interface Unreached {
  why: string;
  look: string;
}

function whyNot(cause: unknown): Unreached {
  const code = systemCode(cause);
  if (cause instanceof Beyond) return { why: beyond(cause), look: 'Its log says more. Try again later.' };
  if (code === undefined) return { why: describeThrown(cause), look: `Is the address right? ${RIGHT}` };
  if (code === 'ECONNREFUSED')
    return { why: `nothing listens there (${code})`, look: `Is council serve running there? ${RIGHT}` };
  if (NO_SUCH_HOST.includes(code))
    return { why: `there is no such host (${code})`, look: `Is the name right? ${RIGHT}` };
  if (NOT_TRUSTED.test(code))
    return {
      why: `its certificate is not trusted (${code})`,
      look: 'NODE_EXTRA_CA_CERTS=FILE names who has signed it.',
    };
  if (OTHER_PROTOCOL.test(code))
    return { why: `it speaks another protocol (${code})`, look: `Is it http or https? ${RIGHT}` };
  return { why: code, look: `Is council serve running there? ${RIGHT}` };
}

const beyond = ({ bound, most }: Beyond): string =>
  bound === 'bytes'
    ? `it answers with more than ${most / 1024 / 1024} MiB`
    : bound === 'answer'
      ? `it has not answered for ${formatDuration(most)}`
      : `its answer has not come to an end within ${formatDuration(most)}`;

/** The error of a request that got no answer. */
export const createUnreachableError = (server: string, cause: unknown): CouncilError =>
  away(server, whyNot(cause));

/** That of a server, or of a proxy in front of it, that says itself that it is not there now. */
export const notNow = (server: string, why: string): CouncilError =>
  away(server, { why, look: 'Try again later.' });

const away = (server: string, { why, look }: Unreached): CouncilError =>
  new CouncilError(
    'unreachable',
    `The server ${new URL(server).origin} cannot be reached: ${why.replace(/\.$/, '')}.`,
    { hint: look },
  );

/** That of a server whose answer looks like one of council's, and has something odd in it that cannot be told. */
export const oddAnswer = (server: string, cause: unknown): CouncilError =>
  new CouncilError(
    'failed',
    `What ${URL.parse(server)?.origin ?? server} answers cannot be told: it is not what council says.`,
    {
      hint: 'Is it a council server, and does nothing on the way change what it says? --json prints it as it came.',
      cause,
    },
  );

/** The error for an answer that is not from a council server: a login page or another service. */
export function notCouncil(server: string, { status, type, location }: Posted): CouncilError {
  const what = location === undefined ? (type ?? 'nothing') : `on to ${oneLine(location, 200)}`;
  return new CouncilError(
    'unreachable',
    `${new URL(server).origin} answers, but not as council's server does (status ${status}, ${oneLine(what, 250)}).`,
    { hint: `Is the address right, and does no login page stand in front of it? ${RIGHT}` },
  );
}
