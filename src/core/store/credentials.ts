// Ports of agents' signing keys, and of access tokens for a server. Only hashes of tokens are kept.

/** A key of an agent; `until` (ISO 8601 UTC) is set once it was replaced. */
export interface AgentKey {
  /** The first eight hex digits of the key's SHA-256. */
  id: string;
  /** 32 bytes in hex. */
  key: string;
  since: string;
  until?: string;
}

/** The keys of a project's agents, readable only by their owner. All calls throw `unsafe_private_dir`, `io`. */
export interface AgentKeys {
  /** False as long as no agent of the project has ever had a key. */
  isUsed(): boolean;
  /**
   * Returns an agent's keys, newest last; undefined for an agent without any. An unreadable file has no key:
   * [].
   */
  of(agent: string): AgentKey[] | undefined;
  agents(): string[];
  /** Replaces the agent's keys; durable when it returns. An agent without keys need not sign. */
  put(agent: string, keys: AgentKey[]): void;
  /** Returns the path of an agent's keys, existing or not. */
  path(agent: string): string;
  /** Returns random bytes, in hex. */
  random(bytes: number): string;
  /**
   * Records the first use of a token (`day` is YYYYMMDD), and returns it. Uses older than the window are
   * dropped, and not recorded.
   */
  firstUse(agent: string, day: string, token: string, use: string): { use: string; isNew: boolean };
}

/** How long used signatures are remembered. */
const WINDOW_DAYS = 7;

/** Returns the first remembered day, in the format of message names. */
export const formatFirstDay = (now: number): string =>
  new Date(now - WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

/** An access token as stored. Times are ISO 8601 UTC. */
export interface AccessToken {
  /** Eight hexadecimal digits. */
  id: string;
  role: string;
  /** SHA-256 of the token. */
  sha256: string;
  /** The council of a seat's token, by name and id: a later council with the same name is a different one. */
  council: string | null;
  conversationId: string | null;
  /** Its holder: an agent or a person. */
  as: string | null;
  createdAt: string;
  /** "user@host", or the token that created it on a page: "admin token 3f9a01c2". */
  createdBy: string;
  expiresAt: string | null;
  revokedAt: string | null;
}

/**
 * The access tokens of a project, readable only by their owner. All calls reject with `unsafe_private_dir`,
 * `io`.
 */
export interface AccessTokens {
  /** Lists all tokens ever created, including revoked ones, oldest first. An unreadable one grants nothing. */
  list(): Promise<AccessToken[]>;
  /** Durable when it returns. */
  add(token: AccessToken): Promise<void>;
  /** Durable when it returns. False for an unknown id; an already revoked token keeps its time. */
  revoke(id: string, at: string): Promise<boolean>;
}

/** Checks the format of an id. */
export const isTokenId = (id: string): boolean => /^[0-9a-f]{8}$/.test(id);

/** Compares tokens by age, oldest first. */
export const compareByAge = (one: AccessToken, other: AccessToken): number =>
  one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id);
