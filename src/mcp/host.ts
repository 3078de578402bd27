/** Whose request this is, as far as it was said: by the environment of the server, or by a participant's token. */
export interface Caller {
  participant?: string | undefined;
  council?: string | undefined;
  token?: string | undefined;
  /** True for a participant's token: it opens that participant's turn and the archives, and nothing else. */
  bound: boolean;
}

/** A use case as its command takes it: positional arguments, options by name, and what would come on stdin. */
export interface Call {
  args: string[];
  options: Record<string, unknown>;
  text?: string | undefined;
}

/** How it went: the document of the command's `--json` (`{error}` for a refusal) and its text for people. */
export interface Done {
  document: unknown;
  text: string;
  failed: boolean;
  /** What it took, where a call runs in a process of its own. */
  used?: { cpuMs: number; bytes: number };
}

export type UseCaseName =
  'list' | 'start' | 'view' | 'respond' | 'status' | 'tick' | 'search' | 'show' | 'export';

/** What the server is told by the face that starts it. It knows no command, only how to perform one. */
export interface Host {
  version: string;
  /**
   * Never throws for a refusal: it is `Done` as well. What a bound caller is told names no folder of this machine. `gone`:
   * nobody waits for the result any more.
   */
  perform(name: UseCaseName, call: Call, caller: Caller, gone: AbortSignal): Promise<Done>;
  /** Who a participant's token belongs to, over all active councils. */
  holder(token: string): Promise<Caller | undefined>;
  /** A line for the person who started the server. */
  note(line: string): void;
  /** Aborted when the server is to stop. */
  stop: AbortSignal;
}

/** Performs a call as one caller. */
export type Perform = (
  name: UseCaseName,
  call: Call,
  ends: { mcpReq: { signal: AbortSignal }; http?: { req?: Request } },
) => Promise<Done>;
