// `council open` and a local server prove to each other they know a secret without sending it.
import { crypto } from '../../core/base/crypto.ts';

/** Where a code is offered. */
export const OFFER_PATH = '/join/offer';
/** Milliseconds for which a code that was offered opens anything. */
export const OFFERED_MS = 60_000;

/** Announces a one-time sign-in code to a server. The code itself goes only to the browser. */
export interface Offer {
  hash: string;
  /** Milliseconds since the epoch, so that a recorded offer cannot be replayed later. */
  at: number;
  proof: string;
}

/** Proves knowledge of the secret to the server at this address, and to no other. */
export const signOffer = (
  secret: string,
  part: 'offered' | 'taken',
  url: string,
  { hash, at }: Pick<Offer, 'hash' | 'at'>,
): string =>
  crypto()
    .createHmac('sha256', secret)
    .update(JSON.stringify([part, url, hash, at]))
    .digest('hex');
