// Performs one call for a remote caller and returns its result or refusal.
import { asCouncilError, errorDocument } from '../../base/errors.ts';
import type { CouncilError, ErrorCode } from '../../base/errors.ts';
import { requireCleanText } from '../../base/text.ts';
import type { App } from '../app.ts';
import type { GivenText, Raw } from '../input/fields.ts';
import { hiderOf } from './hidden-folders.ts';
import { silent } from '../progress.ts';
import { useCases } from '../use-cases.ts';
import type { UseCaseName } from '../use-cases.ts';
import type { Role } from './roles.ts';

/** Whose request this is, as far as it was said: by the environment of the server, or by a participant's token. */
export interface Caller {
  /** What it opens: see calls.ts. */
  role: Role;
  /** The id of the server's token, where it is one. */
  id?: string | undefined;
  participant?: string | undefined;
  council?: string | undefined;
  /** Where the seat is one of this very council, and not of any that has its name. */
  conversationId?: string | undefined;
  /** The participant's token that the council itself asks for. */
  token?: string | undefined;
}

/** Whether it is a participant's token: it opens that participant's turn and the archives, and nothing else. */
export const isSeat = ({ role }: Caller): boolean => role === 'participant';

/** A call with its caller, as one JSON document. */
export interface Asked {
  name: UseCaseName;
  /** What was given, by the names of the fields; nothing of it is checked yet. */
  input: Raw;
  caller: Caller;
  /** The way it came; without one, the tools. */
  via?: 'mcp' | 'api';
  /** The revision that the council must have. */
  revision?: number | undefined;
  /** A key of the client's own: the same request with the same key is done once. */
  key?: string | undefined;
}

/** How it went. */
export interface Done {
  /** The document of the use case; `{error}` for a refusal. */
  document: unknown;
  failed: boolean;
  /** Of what failed: its exit code on a command line comes from it. */
  code?: ErrorCode | undefined;
  /** What it took, where a call runs in a process of its own. */
  used?: { cpuMs: number; bytes: number };
}

/**
 * Performs a call of somebody who does not sit at this terminal; the one place where a result leaves for its caller. Never
 * throws: a refusal is `Done` as well. What anybody but its owner is told names no folder of this machine.
 */
export async function performCall(own: App, asked: Asked, signal: AbortSignal): Promise<Done> {
  const { name, input, caller } = asked;
  const app = appFor(own, asked, signal);
  const given = { env: app.env, isOwnCommandLine: false, text: textGiven };
  try {
    const { document, failed: code } = await useCases[name].perform(app, input, given);
    return hiding(app, caller, { document, failed: code !== undefined, ...(code && { code }) });
  } catch (thrown) {
    return refusalFor(app, caller, asCouncilError(thrown));
  }
}

/** The surroundings of one call: no terminal, and the caller's token. */
const appFor = (own: App, { caller: { token }, via = 'mcp' }: Asked, signal: AbortSignal): App => ({
  ...own,
  env: token === undefined ? own.env : { ...own.env, COUNCIL_TOKEN: token },
  via,
  startedAt: Date.now(),
  progress: silent(own),
  interruption: () => signal,
  ask: undefined,
});

/** A text comes as itself. */
function textGiven(text: string | undefined): GivenText | undefined {
  if (text === undefined) return undefined;
  requireCleanText(text, 'The text');
  return { from: '-', bytes: async () => Buffer.from(text) };
}

/** An error as its caller is told it. */
export const refusalFor = (app: App, caller: Caller, error: CouncilError): Done =>
  hiding(app, caller, { document: { error: errorDocument(error) }, failed: true, code: error.code });

/** Whoever runs the server knows its folders. */
const hiding = (app: App, { role }: Caller, done: Done): Done =>
  role === 'admin' ? done : hiderOf(app)(done);
