// Host and Origin of a request: a page of somebody else's must not reach this server through a browser.

/** The names of this machine. */
export const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header or an origin; undefined for what is none. */
function nameOf(text: string): string | undefined {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url && url.username === '' && (url.pathname === '/' || url.pathname === '')
    ? url.hostname
    : undefined;
}

/**
 * Why a request is not taken, in words; undefined for one that is. A browser always says from which page it asks: that page
 * has to be the server's own. `onlyLocal`: only names of this machine count, whatever they lead to.
 */
export function isForeign(
  host: string | undefined,
  origin: string | undefined,
  onlyLocal: boolean,
): string | undefined {
  const own = host === undefined ? undefined : nameOf(host);
  if (own === undefined || (onlyLocal && !LOCAL.includes(own)))
    return `Invalid Host: ${(host ?? 'none').slice(0, 200)}`;
  if (origin === undefined) return undefined;
  const from = origin.includes('://') ? nameOf(origin) : undefined;
  const isOwn = from !== undefined && (onlyLocal ? LOCAL.includes(from) : from === own);
  return isOwn ? undefined : `Invalid Origin: ${origin.slice(0, 200)}`;
}
