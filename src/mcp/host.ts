/** Whose request this is, as far as it was said: by the environment of the server, or by a participant's token. */
export interface Caller {
  participant?: string | undefined;
  council?: string | undefined;
  token?: string | undefined;
  /** True for a participant's token over HTTP: it opens that participant's turn and the archives, and nothing else. */
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
}

export type UseCaseName =
  'list' | 'start' | 'view' | 'respond' | 'status' | 'tick' | 'search' | 'show' | 'export';

/** What the server is told by the face that starts it. It knows no command, only how to perform one. */
export interface Host {
  version: string;
  /** Never throws for a refusal: it is `Done` as well. */
  perform(name: UseCaseName, call: Call, caller: Caller, signal: AbortSignal): Promise<Done>;
  /** Who a participant's token belongs to, over all active councils. */
  holder(token: string): Promise<Caller | undefined>;
  /** A line for the person who started the server. */
  note(line: string): void;
  /** Aborted when the server is to stop. */
  stop: AbortSignal;
}

/** Performs a call as one caller; ends with the call, the connection or the server, whatever is first. */
export type Perform = (
  name: UseCaseName,
  call: Call,
  ends: { mcpReq: { signal: AbortSignal }; http?: { req?: Request } },
) => Promise<Done>;
