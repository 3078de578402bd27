// Port: the log of messages, by channel.

/** Which messages of a channel are meant, by their names, which sort by time. */
export interface Span {
  /** From this name on, or from the first part of one such as `msg-20260111`; without it from the first message. */
  from?: string;
  /** Up to this name, without it. */
  before?: string;
  /** At most so many: the first of them, or the last ones with `newest`. */
  limit: number;
  newest?: boolean;
}

/**
 * Messages by channel: only ever added, each under a name of its own (`msg-YYYYMMDD-HHMMSS-sender-hex4.json`). Channels are
 * ids (`isId`). What is no message by its name is not seen; what cannot be read is told once and left out. One contract suite
 * runs on every implementation.
 */
export interface MessageLog {
  /** Makes a channel; false when it is there already. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  create(channel: string): Promise<boolean>;
  /** All channels, sorted. */
  channels(): Promise<string[]>;
  /**
   * Adds a message; durable, and whole before anybody sees it, when this resolves. False when the name is taken, in this channel or
   * in another: ids are names. With `isMoved` it comes from another store, where it had its name, and only this channel counts. A
   * channel that is missing is made. With `durable: false` it need not survive a power failure: for what is told elsewhere as well.
   * Rejects with `invalid_id`, `too_large`, `unsafe_path`, `no_hard_links`, `io`.
   */
  append(
    channel: string,
    name: string,
    text: string,
    options?: { durable?: boolean; isMoved?: boolean },
  ): Promise<boolean>;
  /** The names in a span, the oldest first; none where there is no such channel. Costs no more when the channel is longer. */
  names(channel: string, span: Span): Promise<string[]>;
  /** The text of a message; undefined when there is none, or it cannot be read. */
  read(channel: string, name: string): Promise<string | undefined>;
  /**
   * Calls `onChange` soon after a message was added; may call more often than needed. Keeps the process alive until the
   * returned function stops it.
   */
  watch(channel: string, onChange: () => void): () => void;
}

const NAME = /^msg-(\d{8})-\d{6}-[a-z0-9][a-z0-9-]{0,63}-[0-9a-f]{4}\.json$/;

/** The day in the name of a message (`20260111`); undefined for any other name. */
export const parseMessageDay = (name: string): string | undefined => NAME.exec(name)?.[1];

/** What a span takes of names that are sorted. */
export function selectNamesInSpan(
  names: readonly string[],
  { from = '', before, limit, newest }: Span,
): string[] {
  const start = findFirstIndex(names, from);
  const end = before === undefined ? names.length : findFirstIndex(names, before);
  return newest
    ? names.slice(Math.max(start, end - limit), Math.max(start, end))
    : names.slice(start, Math.min(end, start + limit));
}

/** Where the first name stands that is not before this one. */
function findFirstIndex(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
