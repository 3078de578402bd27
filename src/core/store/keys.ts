// Ports of keys and tokens: what agents sign with, and who may reach a project through a server. Only hashes of tokens are kept.

/** A key of an agent; `until` (ISO 8601 UTC) for one that another has replaced. */
export interface AgentKey {
  /** The first eight hex digits of the key's SHA-256. */
  id: string;
  /** 32 bytes in hex. */
  key: string;
  since: string;
  until?: string;
}

/** The keys of a project's agents, where only their owner can read them. Everything throws `unsafe_private_dir`, `io`. */
export interface AgentKeys {
  /** False as long as no agent of the project has ever had a key. */
  isUsed(): boolean;
  /** An agent's keys, the newest last; undefined for an agent without one. A file that cannot be read holds no key: []. */
  of(agent: string): AgentKey[] | undefined;
  agents(): string[];
  /** Takes the place of those that the agent has; durable when it returns. Without any the agent is open again. */
  put(agent: string, keys: AgentKey[]): void;
  /** Where an agent's keys lie, or would lie. */
  path(agent: string): string;
  /** Random bytes, in hex. */
  random(bytes: number): string;
  /**
   * Remembers what a token was first used for (its `day` is YYYYMMDD), and tells it. What is older than the window is
   * forgotten, and then not remembered either.
   */
  firstUse(agent: string, day: string, token: string, use: string): { use: string; isNew: boolean };
}

/** How long it is remembered which signatures were seen. */
const WINDOW_DAYS = 7;

/** The first day that is remembered, as in the names of messages. */
export const firstDay = (now: number): string =>
  new Date(now - WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

/** An access token as it is kept. Times are ISO 8601 UTC. */
export interface AccessToken {
  /** Eight hexadecimal digits. */
  id: string;
  role: string;
  /** SHA-256 of the token. */
  sha256: string;
  /** The council of a seat's token, by name and by id: a later council of the same name is another one. */
  council: string | null;
  conversationId: string | null;
  /** Whose it is: an agent or a person. */
  as: string | null;
  createdAt: string;
  /** "user@host", or the token with which it was made on a page: "admin token 3f9a01c2". */
  createdBy: string;
  expiresAt: string | null;
  revokedAt: string | null;
}

/** The access tokens of a project, where only their owner can read them. Everything rejects with `unsafe_private_dir`, `io`. */
export interface AccessTokens {
  /** All that were ever made, those that are revoked as well, the oldest first. One that cannot be read opens nothing. */
  list(): Promise<AccessToken[]>;
  /** Durable when it returns. */
  add(token: AccessToken): Promise<void>;
  /** Durable when it returns. False for an unknown id; a token that is revoked stays revoked since then. */
  revoke(id: string, at: string): Promise<boolean>;
}

/** What an id looks like. */
export const isTokenId = (id: string): boolean => /^[0-9a-f]{8}$/.test(id);

/** The oldest first, whatever order they were found in. */
export const byAge = (one: AccessToken, other: AccessToken): number =>
  one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id);
