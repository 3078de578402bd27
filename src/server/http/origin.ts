// Where a request comes from: its Host and Origin, its bearer token, and whether a page of this server sent it.
import { createSecret, crypto } from '../../core/base/ids.ts';
import type { Ctx } from './context.ts';

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
const isFromOtherPage = (site: string | undefined): string | undefined =>
  site === undefined || site === 'same-origin' || site === 'none'
    ? undefined
    : `Invalid Sec-Fetch-Site: ${site.slice(0, 40)}`;

/** The token of an Authorization header; undefined where it holds none. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];

/** Compares in a time that does not depend on where two texts differ. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => crypto().createHash('sha256').update(text).digest();
  return crypto().timingSafeEqual(digest(given), digest(wanted));
}

/** A token for this run of the server: 32 random bytes. */
export const newServerToken = (): string => `council_mcp_${createSecret()}`;

/** How the pages of one server are reached. */
export interface OwnAddress {
  /** Of the socket. */
  port(): number;
  /** `https://council.example`, where a proxy puts a name and TLS in front. */
  publicUrl: URL | undefined;
}

/** The origin that a request was sent to; undefined for a name that is not one of ours. */
function ownOrigin(c: Ctx, { port, publicUrl }: OwnAddress): string | undefined {
  const host = c.req.header('host')?.toLowerCase();
  if (publicUrl && host === publicUrl.host) return publicUrl.origin;
  const isLocal = LOCAL.some((name) => host === `${name}:${port()}` || (port() === 80 && host === name));
  return isLocal ? `http://${host}` : undefined;
}

/**
 * Why a request is not taken, in words; undefined for one that is. What changes something has to come from a page of ours: its
 * origin, and what the browser says of the way it came.
 */
export function isFromElsewhere(c: Ctx, own: OwnAddress): string | undefined {
  const origin = ownOrigin(c, own);
  if (origin === undefined) return `Invalid Host: ${(c.req.header('host') ?? 'none').slice(0, 200)}`;
  if (c.req.header('service-worker') !== undefined) return 'No service worker is served here.';
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined;
  const said = c.req.header('origin');
  // A proxy may put its own name in place of the public one.
  if (said !== origin && (said === undefined || said !== own.publicUrl?.origin))
    return `Invalid Origin: ${(said ?? 'none').slice(0, 200)}`;
  return isFromOtherPage(c.req.header('sec-fetch-site'));
}

/** Whether a link on a foreign page led here: the browser keeps the cookie back then. */
export const isLedHere = (c: Ctx): boolean =>
  ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
