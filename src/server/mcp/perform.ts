// How tools, resources and prompts have a use case performed, and report on the way.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Raw } from '../../core/app/input/fields.ts';
import type { Done } from '../remote/perform-call.ts';
import type { UseCaseName } from '../remote/callable-use-cases.ts';

/** Performs a call as one caller. */
export type Perform = (name: UseCaseName, input: Raw, ends: Ends) => Promise<Done>;

/** How a call ends before its result: the client cancels it, or goes away (over HTTP that closes its request). */
export interface Ends {
  mcpReq: Pick<ServerContext['mcpReq'], 'signal' | '_meta' | 'notify'>;
  http?: { req?: Request };
}

/** Reports progress to a client that has given a token for that; undefined for any other. */
export function createReport({ mcpReq }: Ends): ((progress: number, message: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) => {
    const params = { progressToken, progress, message };
    // A client that is gone has no use for it.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
