// Memory driver: access tokens.
import type { AccessToken, AccessTokens } from '../access-tokens.ts';
import { byAge } from '../access-tokens.ts';

export function memoryAccessTokens(): AccessTokens {
  const tokens = new Map<string, AccessToken>();
  return {
    list: async () => [...tokens.values()].sort(byAge),
    add: async (token) => void tokens.set(token.id, token),
    async revoke(id, at) {
      const token = tokens.get(id);
      if (token) tokens.set(id, { ...token, revokedAt: token.revokedAt ?? at });
      return token !== undefined;
    },
  };
}
