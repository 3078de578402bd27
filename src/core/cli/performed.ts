// How a command gets its result: from this machine, or from a server.
import { CouncilError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { Result } from '../app/app.ts';
import type { Cli, FromServer } from './io.ts';

/** The commands that a server does in place of this machine. */
export const ELSEWHERE =
  'start view respond read status wait watch list show outcome search ledger metrics cost send inbox ack nack sent who task approvals continue extend excuse cancel heartbeat'.split(
    ' ',
  );

/** Those of the others that look at no project. */
const OF_NO_PROJECT = ['completion', 'demo', 'protocol', 'skill'];

/** The note for a command that asks no server although one was named; undefined where there is nothing to tell. */
export const actsHere = (command: string, server: string | undefined): string | undefined =>
  server && !ELSEWHERE.includes(command) && !OF_NO_PROJECT.includes(command)
    ? `council ${command} acts on this folder, not at ${oneLine(server, 200)} (COUNCIL_SERVER).`
    : undefined;

/** The error that there is no project here, where a server was named. */
export const notHere = (command: string, { message, code }: CouncilError): CouncilError =>
  new CouncilError(code, message, { hint: explainHere(command) });

/** Where a command works that no server does. */
export const explainHere = (command: string): string =>
  `council ${command} works in the folder of the project, on the machine where that is. With the server work: ${ELSEWHERE.join(', ')}.`;

/**
 * The result of a use case: of this machine, or that of a server, with the rest that its command needs to tell it. `rest` makes
 * that of the document.
 */
export async function performHereOrAtServer<R extends Result>(
  cli: Cli,
  performHere: () => Promise<R>,
  rest: (
    document: R['document'],
    sent: Pick<FromServer, 'bytes' | 'page'>,
  ) => Omit<R, 'document' | 'failed'> | Promise<Omit<R, 'document' | 'failed'>> = () => ({}) as R,
): Promise<R> {
  if (!cli.server) return performHere();
  const result = await cli.server();
  const document = result.document as R['document'];
  return { ...result, ...(await rest(document, result)), document } as unknown as R;
}
