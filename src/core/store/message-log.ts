// Port: the log of messages, by channel.

/** A range of messages of a channel, by their names, which sort by time. */
export interface Span {
  /** From this name on, or from a prefix such as `msg-20260111`; by default from the first message. */
  from?: string;
  /** Up to this name, exclusive. */
  before?: string;
  /** Maximum number: the first ones, or the last ones with `newest`. */
  limit: number;
  newest?: boolean;
}

/**
 * Append-only messages by channel, each with a unique name (`msg-YYYYMMDD-HHMMSS-sender-hex4.json`). Channels
 * are ids (`isId`). Files with other names are ignored; unreadable ones are reported once and skipped. One
 * contract suite runs on every implementation.
 */
export interface MessageLog {
  /** Creates a channel; false if it exists. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  create(channel: string): Promise<boolean>;
  /** Lists all channels, sorted. */
  channels(): Promise<string[]>;
  /**
   * Adds a message; durable and visible as a whole when this resolves. False if the name is taken, in this
   * channel or another, since names are ids. With `isMoved` it comes from another store, where it had its
   * name, and only this channel counts. Creates a missing channel. With `durable: false` it need not survive
   * a power failure, for information that is also elsewhere. Rejects with `invalid_id`, `too_large`,
   * `unsafe_path`, `no_hard_links`, `io`.
   */
  append(
    channel: string,
    name: string,
    text: string,
    options?: { durable?: boolean; isMoved?: boolean },
  ): Promise<boolean>;
  /**
   * Lists the names in a range, oldest first; empty for a missing channel. The cost does not grow with the
   * channel.
   */
  names(channel: string, span: Span): Promise<string[]>;
  /** Returns the text of a message; undefined if it is missing or unreadable. */
  read(channel: string, name: string): Promise<string | undefined>;
  /**
   * Calls `onChange` soon after a message was added; may call more often than needed. Keeps the process alive
   * until the returned function stops it.
   */
  watch(channel: string, onChange: () => void): () => void;
}

const NAME = /^msg-(\d{8})-\d{6}-[a-z0-9][a-z0-9-]{0,63}-[0-9a-f]{4}\.json$/;

/** Returns the day in a message's name (`20260111`); undefined for any other name. */
export const parseMessageDay = (name: string): string | undefined => NAME.exec(name)?.[1];

/** Selects the names of a range from sorted names. */
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

/** Returns the index of the first name that is not before this one. */
function findFirstIndex(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
