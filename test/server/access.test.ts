import { describe, expect, it } from 'vitest';
import { findAccessToken, findTokenEnd, createAccessToken } from '../../src/server/access/token.ts';
import type { AccessToken } from '../../src/core/store/access-tokens.ts';

const random = (byte: string) => ({ uuid: () => '', hex: (count: number) => byte.repeat(count) });
const kept = (one: { id: string; sha256: string }): AccessToken => ({
  ...one,
  role: 'admin',
  council: null,
  conversationId: null,
  as: null,
  createdAt: '',
  createdBy: '',
  expiresAt: null,
  revokedAt: null,
});

describe('an access token', () => {
  const { token, ...one } = createAccessToken(random('0a'));
  const other = createAccessToken(random('0b'));

  it('is found by itself, and nothing like it is', () => {
    const all = [kept(other), kept(one)];
    expect(findAccessToken(all, token)).toMatchObject({ id: one.id });
    for (const wrong of [
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase(),
      '',
      token.replace(one.id, other.id),
    ])
      expect(findAccessToken(all, wrong)).toBeUndefined();
  });

  it('is not found in what is kept of it, and a damaged hash opens nothing', () => {
    expect(JSON.stringify(kept(one))).not.toContain(token);
    for (const sha256 of ['', one.sha256.slice(2), 'zz'.repeat(32)])
      expect(findAccessToken([kept({ ...one, sha256 })], token)).toBeUndefined();
  });

  it('is over when it was revoked, at its end, and with an end that is none', () => {
    const at = Date.parse('2026-11-01T00:00:00Z');
    const end = (expiresAt: string | null, revokedAt: string | null = null) =>
      findTokenEnd({ expiresAt, revokedAt }, at);
    expect(end(null)).toBeUndefined();
    expect(end('2026-11-01T00:00:00.001Z')).toBeUndefined();
    expect(end('2026-11-01T00:00:00.000Z')).toBe('expired');
    expect(end('soon')).toBe('expired');
    expect(end('2027-01-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z')).toBe('revoked');
  });
});
