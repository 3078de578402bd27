// Port: access tokens for a server. Only their hashes are kept.

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
