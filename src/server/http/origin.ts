// Checks where a request comes from: Host, Origin, bearer token, and whether a page of this server sent it.
import { createSecret, getCrypto } from '../../core/base/ids.ts';
import type { Ctx } from './context.ts';

/** The names of this machine. */
export const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** A request's headers about its origin, and whether it may change something. */
export interface OriginClaims {
  host: string | undefined;
  origin: string | undefined;
  /** Set by browsers: the relation of the requesting page. */
  site: string | undefined;
  writes: boolean;
}

/** Parses a Host header or an origin as a URL; undefined if invalid. */
function parseOriginAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && url.username === '' && (url.pathname === '/' || url.pathname === '') ? url : undefined;
}

/**
 * Returns why a request is refused, or undefined. A browser always names the requesting page: its host and port
 * must be the server's. `onlyLocal`: only names of this machine are accepted, whatever they resolve to.
 */
export function isForeign(
  { host, origin, site, writes }: OriginClaims,
  onlyLocal: boolean,
): string | undefined {
  const own = host === undefined ? undefined : parseOriginAddress(`http://${host}`);
  if (own === undefined || (onlyLocal && !LOCAL.includes(own.hostname)))
    return `Invalid Host: ${(host ?? 'none').slice(0, 200)}`;
  if (origin !== undefined && !isOwn(origin, host ?? '', onlyLocal))
    return `Invalid Origin: ${origin.slice(0, 200)}`;
  return writes ? isFromOtherPage(site) : undefined;
}

/** Behind a proxy, the page has another scheme with another default port. */
function isOwn(origin: string, host: string, onlyLocal: boolean): boolean {
  const from = origin.includes('://') ? parseOriginAddress(origin) : undefined;
  const own = from && parseOriginAddress(`${from.protocol}//${host}`);
  if (!from || !own || from.port !== own.port) return false;
  return onlyLocal ? LOCAL.includes(from.hostname) : from.hostname === own.hostname;
}

/** Returns an error if a browser says that another site's page is asking; older browsers say nothing. */
const isFromOtherPage = (site: string | undefined): string | undefined =>
  site === undefined || site === 'same-origin' || site === 'none'
    ? undefined
    : `Invalid Sec-Fetch-Site: ${site.slice(0, 40)}`;

/** Returns the token of an Authorization header, or undefined. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];

/** Compares two texts in constant time. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => getCrypto().createHash('sha256').update(text).digest();
  return getCrypto().timingSafeEqual(digest(given), digest(wanted));
}

/** Creates a token of 32 random bytes for this run of the server. */
export const createServerToken = (): string => `council_mcp_${createSecret()}`;

/** The addresses of a server's pages. */
export interface OwnAddress {
  /** The port of the socket. */
  port(): number;
  /** `https://council.example` if a proxy provides a name and TLS. */
  publicUrl: URL | undefined;
}

/** Returns the origin that a request was sent to; undefined if the name is not this server's. */
function findOwnOrigin(c: Ctx, { port, publicUrl }: OwnAddress): string | undefined {
  const host = c.req.header('host')?.toLowerCase();
  if (publicUrl && host === publicUrl.host) return publicUrl.origin;
  const isLocal = LOCAL.some((name) => host === `${name}:${port()}` || (port() === 80 && host === name));
  return isLocal ? `http://${host}` : undefined;
}

/**
 * Returns why a request is refused, or undefined. A change must come from a page of this server, according to its
 * Origin and the browser's Sec-Fetch-Site.
 */
export function isFromElsewhere(c: Ctx, own: OwnAddress): string | undefined {
  const origin = findOwnOrigin(c, own);
  if (origin === undefined) return `Invalid Host: ${(c.req.header('host') ?? 'none').slice(0, 200)}`;
  if (c.req.header('service-worker') !== undefined) return 'No service worker is served here.';
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined;
  const said = c.req.header('origin');
  // A proxy may replace the public name in Host by its own.
  if (said !== origin && (said === undefined || said !== own.publicUrl?.origin))
    return `Invalid Origin: ${(said ?? 'none').slice(0, 200)}`;
  return isFromOtherPage(c.req.header('sec-fetch-site'));
}

/** Returns whether a link on a foreign page led here: the browser then withholds the cookie. */
export const isLedHere = (c: Ctx): boolean =>
  ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
