// The addresses that pages are served under, and which requests come from these pages themselves.
import type { Ctx } from '../context.ts';
import { isFromOtherPage, LOCAL } from '../origin.ts';

/** How the pages of one server are reached. */
export interface OwnAddress {
  /** Of the socket. */
  port(): number;
  /** `https://council.example`, where a proxy puts a name and TLS in front. */
  publicUrl: URL | undefined;
}

/** The origin that a request was sent to; undefined for a name that is not one of ours. */
export function ownOrigin(c: Ctx, { port, publicUrl }: OwnAddress): string | undefined {
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
