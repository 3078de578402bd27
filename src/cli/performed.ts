// How a command gets its result: from this machine, or from a server.
import type { Result } from '../app/app.ts';
import { CouncilError } from '../base/errors.ts';
import type { Cli } from './io.ts';

/** The commands that a server does in place of this machine. */
export const ELSEWHERE =
  'start view respond read status wait list show search ledger metrics cost send inbox ack nack sent who task approvals extend excuse cancel'.split(
    ' ',
  );

/**
 * The result of a use case: of this machine, or that of a server, with the rest that its command needs to tell it. `rest` makes
 * that of the document.
 */
export async function performed<R extends Result>(
  cli: Cli,
  here: () => Promise<R>,
  rest: (
    document: R['document'],
    bytes: number,
  ) => Omit<R, 'document' | 'failed'> | Promise<Omit<R, 'document' | 'failed'>>,
): Promise<R> {
  if (!cli.server) return here();
  const result = await cli.server();
  const document = result.document as R['document'];
  return { ...result, ...(await rest(document, result.bytes)), document } as unknown as R;
}

/** For what is told in a form that a server does not send. */
export function onlyJson(cli: Cli): string {
  if (cli.json) return '';
  throw new CouncilError('usage', 'Against a server this command prints JSON only.', { hint: 'Add --json.' });
}
