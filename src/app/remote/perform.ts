// Performs one call for a remote caller and returns its result or refusal.
import { asCouncilError, errorDocument } from '../../base/errors.ts';
import type { CouncilError } from '../../base/errors.ts';
import { requireCleanText } from '../../base/text.ts';
import type { App } from '../app.ts';
import type { GivenText, Raw } from '../input/fields.ts';
import { hiderOf } from './hidden-folders.ts';
import { silent } from '../progress.ts';
import { useCases } from '../use-cases.ts';
import type { UseCaseName } from '../use-cases.ts';

/** Whose request this is, as far as it was said: by the environment of the server, or by a participant's token. */
export interface Caller {
  participant?: string | undefined;
  council?: string | undefined;
  token?: string | undefined;
  /** True for a participant's token: it opens that participant's turn and the archives, and nothing else. */
  bound: boolean;
}

/** A call with its caller, as one JSON document. */
export interface Asked {
  name: UseCaseName;
  /** What was given, by the names of the fields; nothing of it is checked yet. */
  input: Raw;
  caller: Caller;
}

/** How it went. */
export interface Done {
  /** The document of the use case; `{error}` for a refusal. */
  document: unknown;
  failed: boolean;
  /** What it took, where a call runs in a process of its own. */
  used?: { cpuMs: number; bytes: number };
}

/**
 * Performs a call of somebody who does not sit at this terminal; the one place where a result leaves for its caller. Never
 * throws: a refusal is `Done` as well. What a bound caller is told names no folder of this machine.
 */
export async function performCall(
  own: App,
  { name, input, caller }: Asked,
  signal: AbortSignal,
): Promise<Done> {
  const app = appFor(own, caller, signal);
  const given = { env: app.env, isOwnCommandLine: false, text: textGiven };
  try {
    const { document, failed } = await useCases[name].perform(app, input, given);
    return hiding(app, caller, { document, failed: failed !== undefined });
  } catch (thrown) {
    return refusalFor(app, caller, asCouncilError(thrown));
  }
}

/** The surroundings of one call: no terminal, and the caller's token. */
const appFor = (own: App, { token }: Caller, signal: AbortSignal): App => ({
  ...own,
  env: token === undefined ? own.env : { ...own.env, COUNCIL_TOKEN: token },
  via: 'mcp',
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
  hiding(app, caller, { document: { error: errorDocument(error) }, failed: true });

const hiding = (app: App, { bound }: Caller, done: Done): Done => (bound ? hiderOf(app)(done) : done);
