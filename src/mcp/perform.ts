// How tools, resources and prompts have a use case performed.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Raw } from '../app/input/fields.ts';
import type { Done } from '../app/remote/perform.ts';
import type { UseCaseName } from '../app/remote/callable.ts';

/** Performs a call as one caller. */
export type Perform = (name: UseCaseName, input: Raw, ends: Ends) => Promise<Done>;

/** How a call ends before its result: the client cancels it, or goes away (over HTTP that closes its request). */
export interface Ends {
  mcpReq: Pick<ServerContext['mcpReq'], 'signal' | '_meta' | 'notify'>;
  http?: { req?: Request };
}
