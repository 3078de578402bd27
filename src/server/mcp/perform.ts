// How tools, resources and prompts have a use case performed, and what they tell a client of its fields.
import type { ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Raw, Fields } from '../../core/app/input/fields.ts';
import type { Done } from '../remote/perform-call.ts';
import type { UseCaseName } from '../remote/calls.ts';
import { jsonSchema } from '../../core/app/input/json-schema.ts';
import type { Filled } from '../../core/app/input/json-schema.ts';

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

/**
 * Fields as a schema in the form that the SDK knows. Nothing is refused there: the use case checks what it is given, and
 * its refusal is a result like any other.
 */
export function toMcpSchema(fields: Fields, filled: Filled = {}): StandardSchemaWithJSON<Raw> {
  // The dialect is the protocol's own: naming it costs each tool context.
  const asJson = () => {
    const { $schema: _, ...schema } = jsonSchema(fields, filled);
    return schema;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'council',
      validate: (value) => ({ value: value as Raw }),
      jsonSchema: { input: asJson, output: asJson },
    },
  };
}
