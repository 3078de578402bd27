// How tools, resources and prompts have a use case performed.
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
