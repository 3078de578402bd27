// How `council open` and a server of the same machine know each other: both prove that they know a secret, and none tells it.
import { crypto } from '../../base/crypto.ts';

/** Where a code is offered. */
export const OFFER_PATH = '/join/offer';
/** Milliseconds for which a code that was offered opens anything. */
export const OFFERED_MS = 60_000;

/** A code that a server is to let in once. The code itself goes to the browser alone. */
export interface Offer {
  hash: string;
  /** Milliseconds since the epoch: an offer that somebody has kept opens nothing later. */
  at: number;
  proof: string;
}

/** Shows that who says this knows the secret, to the server at this address and to no other. */
export const proofOf = (
  secret: string,
  part: 'offered' | 'taken',
  url: string,
  { hash, at }: Pick<Offer, 'hash' | 'at'>,
): string =>
  crypto()
    .createHmac('sha256', secret)
    .update(JSON.stringify([part, url, hash, at]))
    .digest('hex');
