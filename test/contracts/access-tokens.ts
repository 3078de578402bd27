import { describe, expect, it } from 'vitest';
import type { AccessToken, AccessTokens } from '../../src/core/store/access-tokens.ts';

const token = (id: string, more: Partial<AccessToken> = {}): AccessToken => ({
  id,
  role: 'member',
  sha256: 'a'.repeat(64),
  council: null,
  conversationId: null,
  as: 'ada',
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: 'ada@here',
  expiresAt: null,
  revokedAt: null,
  ...more,
});

/** What every driver of access tokens must do. `make` gives an empty one; `again` another one over the same place. */
export function accessTokensContract(
  name: string,
  make: () => { one: AccessTokens; again: AccessTokens },
): void {
  describe(`${name}: what every driver of access tokens does`, () => {
    it('keeps all that were made, the oldest first', async () => {
      const { one, again } = make();
      expect(await one.list()).toEqual([]);
      const late = token('0000000a', {
        createdAt: '2026-11-02T00:00:00.000Z',
        expiresAt: '2026-12-01T00:00:00.000Z',
      });
      await one.add(late);
      await one.add(token('ffffffff'));
      expect(await again.list()).toEqual([token('ffffffff'), late]);
    });

    it('revokes for ever, and keeps the time of the first', async () => {
      const { one, again } = make();
      await one.add(token('0000000a'));
      expect(await again.revoke('0000000a', '2026-11-03T00:00:00.000Z')).toBe(true);
      expect(await one.revoke('0000000a', '2026-11-04T00:00:00.000Z')).toBe(true);
      expect(await one.list()).toMatchObject([{ revokedAt: '2026-11-03T00:00:00.000Z' }]);
    });

    it('revokes nothing that is not there', async () => {
      const { one } = make();
      for (const id of ['0000000b', '../../x', '', 'ABCDEF00'])
        expect(await one.revoke(id, 'now')).toBe(false);
      expect(await one.list()).toEqual([]);
    });
  });
}
