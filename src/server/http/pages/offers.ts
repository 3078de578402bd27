// Codes that `council open` has this server let in: both know the secret of its record, and each code opens once, for a minute.
import type { Hono } from 'hono';
import { hashOfOffered } from '../../access/sign-in-code.ts';
import { OFFERED_MS, OFFER_PATH, signOffer } from '../../access/sign-in-offer.ts';
import type { Offer } from '../../access/sign-in-offer.ts';
import { isSame } from '../bearer.ts';
import { textOf } from '../connections.ts';
import { refuse } from '../context.ts';
import type { Env } from '../context.ts';
import type { Once } from './join.ts';
import { OPENED } from './sessions.ts';

const LONGEST = 1024;

/** Takes offers; what is returned tells whom a code lets in, once. */
export function takeOffers(app: Hono<Env>, { secret, port }: { secret: string; port: () => number }): Once {
  /** Until when each is good; in the past for one that was used. It is forgotten when its offer is too old to come again. */
  const offered = new Map<string, number>();
  app.post(OFFER_PATH, async (c) => {
    c.set('page', OFFER_PATH);
    const offer = offerIn(await textOf(c.env.incoming, LONGEST));
    const url = `http://${c.req.header('host') ?? ''}`;
    const isOurs = url.endsWith(`:${port()}`) && c.req.header('origin') === undefined;
    const isKnown = offer && isSame(offer.proof, signOffer(secret, 'offered', url, offer));
    const isNew = offer && Math.abs(Date.now() - offer.at) < OFFERED_MS && !offered.has(offer.hash);
    if (!isOurs || !isKnown || !isNew)
      return refuse(c, { status: 403, code: 'forbidden', detail: 'This is not an offer of council open.' });
    for (const [hash, until] of offered) if (until < Date.now() - 2 * OFFERED_MS) offered.delete(hash);
    offered.set(offer.hash, Date.now() + OFFERED_MS);
    return c.json({ proof: signOffer(secret, 'taken', url, offer) });
  });
  const isGood = (code: string): boolean => (offered.get(hashOfOffered(code)) ?? 0) >= Date.now();
  return {
    caller: (code) => (isGood(code) ? OPENED : undefined),
    // It stays known, so that the same offer is not taken again.
    use: (code) => isGood(code) && offered.set(hashOfOffered(code), Date.now() - 1) !== undefined,
  };
}

function offerIn(body: Buffer | string): Offer | undefined {
  if (typeof body === 'string') return undefined;
  try {
    const { hash, at, proof } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    return typeof hash === 'string' && typeof at === 'number' && typeof proof === 'string'
      ? { hash, at, proof }
      : undefined;
  } catch {
    return undefined;
  }
}
