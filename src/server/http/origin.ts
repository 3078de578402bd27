// Host and Origin of a request: a foreign page must not reach this server through a browser.

/** The names of this machine. */
export const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** What a request says of where it came from, and whether it may change something. */
export interface Claims {
  host: string | undefined;
  origin: string | undefined;
  /** Of a browser: from what kind of page it asks. */
  site: string | undefined;
  writes: boolean;
}

/** A Host header or an origin as an address; undefined for what is none. */
function parseOriginAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && url.username === '' && (url.pathname === '/' || url.pathname === '') ? url : undefined;
}

/**
 * Why a request is not taken, in words; undefined for one that is. A browser always says from which page it asks: that page
 * has to be the server's own, its port as well. `onlyLocal`: only names of this machine count, whatever they lead to.
 */
export function isForeign({ host, origin, site, writes }: Claims, onlyLocal: boolean): string | undefined {
  const own = host === undefined ? undefined : parseOriginAddress(`http://${host}`);
  if (own === undefined || (onlyLocal && !LOCAL.includes(own.hostname)))
    return `Invalid Host: ${(host ?? 'none').slice(0, 200)}`;
  if (origin !== undefined && !isOwn(origin, host ?? '', onlyLocal))
    return `Invalid Origin: ${origin.slice(0, 200)}`;
  return writes ? isFromOtherPage(site) : undefined;
}

/** Behind a proxy the page has another scheme, and a port that goes without saying there. */
function isOwn(origin: string, host: string, onlyLocal: boolean): boolean {
  const from = origin.includes('://') ? parseOriginAddress(origin) : undefined;
  const own = from && parseOriginAddress(`${from.protocol}//${host}`);
  if (!from || !own || from.port !== own.port) return false;
  return onlyLocal ? LOCAL.includes(from.hostname) : from.hostname === own.hostname;
}

/** What a browser says of the page that asks, where it is not one of this server; older ones say nothing. */
export const isFromOtherPage = (site: string | undefined): string | undefined =>
  site === undefined || site === 'same-origin' || site === 'none'
    ? undefined
    : `Invalid Sec-Fetch-Site: ${site.slice(0, 40)}`;
