// Calls the server with a timeout, so that a dead connection cannot block the worker forever.
import { CouncilError } from '../../core/base/errors.ts';
import { oneLine } from '../../core/base/text.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { CallName } from '../remote/calls.ts';
import { askServer } from '../remote/client.ts';
import type { Worker } from './worker-state.ts';

interface ServerCall {
  name: CallName;
  input: Record<string, unknown>;
  /** How long the server has for its answer. */
  ms: number;
  /** Ends it before. */
  signal?: AbortSignal;
}

/** What a server says of an answer: so many lines, each of so many characters, and none that looks like two. */
const MOST_NOTES = 20;
const LONGEST = 1000;

function inOneLine(error: CouncilError): CouncilError {
  const { code, message, hint, details } = error;
  return new CouncilError(code, oneLine(message, LONGEST), {
    ...(hint !== undefined && { hint: oneLine(hint, LONGEST) }),
    details,
    cause: error,
  });
}

/** What the server answers. Throws as `askServer` does, and `unreachable` where no answer comes in time. */
export async function askWithin(
  { app, server }: Pick<Worker, 'app' | 'server'>,
  { name, input, ms, signal }: ServerCall,
): Promise<unknown> {
  const late = AbortSignal.timeout(ms);
  // A call may have to be made while this process is being interrupted.
  const interruption = signal ? AbortSignal.any([late, signal]) : late;
  let notes = 0;
  const note = (line: string): void => (notes++ < MOST_NOTES ? app.note(oneLine(line, LONGEST)) : undefined);
  const calm = overrideApp(app, { interruption: () => interruption, note });
  try {
    return (await askServer(calm, { server, name, input })).document;
  } catch (error) {
    const isLate = late.aborted && !signal?.aborted;
    if (!(error instanceof CouncilError)) throw error;
    if (!isLate || error.code !== 'interrupted') throw inOneLine(error);
    const { origin } = new URL(server);
    throw new CouncilError(
      'unreachable',
      `The server ${origin} cannot be reached: no answer within ${ms / 1000} s.`,
      { hint: 'Is the network on the way to it up?', cause: error },
    );
  }
}
