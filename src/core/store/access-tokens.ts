// The port of access tokens: who may reach a project through a server. Only hashes of them are kept.

/** An access token as it is kept. Times are ISO 8601 UTC. */
export interface AccessToken {
  /** Eight hexadecimal digits. */
  id: string;
  role: string;
  /** SHA-256 of the token. */
  sha256: string;
  /** The council of a seat, and that very council: another one of its name is another one. */
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
