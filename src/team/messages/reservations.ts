// Reservations of paths: who works where. The rules are pure; the state is one document (compare-and-set).
import { formatIso } from '../../core/base/clock.ts';
import * as z from 'zod/mini';
import type { Documents } from '../../core/store/documents.ts';
import { mayOverlap } from './path-patterns.ts';
import { COUNT, openBook, createItemsSchema, TEXT_OR_NULL } from './book.ts';
import type { Book } from './book.ts';
import { maybeKeeper } from './presence.ts';
import type { Keeper } from './presence.ts';

export const MODES = ['exclusive', 'shared'] as const;

const reservation = z.object({
  id: z.string(),
  by: z.string(),
  patterns: z.array(z.string()),
  mode: z.enum(MODES),
  why: TEXT_OR_NULL,
  /** When it ends, ISO 8601 UTC. */
  until: z.string(),
  /** The process that it ends with, if it was made for one. */
  keeper: maybeKeeper,
});
export type Reservation = z.infer<typeof reservation>;

/** All reservations, and the number ever made: no id is reused. Invalid entries are dropped, and block no one. */
const reserved = z.object({ last: COUNT, all: createItemsSchema(reservation) });
export type ReservationState = z.infer<typeof reserved>;

/** A reservation of another agent, and the two patterns that overlap. */
export interface ReservationConflict {
  wanted: string;
  held: string;
  reservation: Reservation;
}

export type Reservations = Book<ReservationState>;

export const createReservations = (store: Pick<Documents, 'read' | 'update'>): Reservations =>
  openBook(store, 'paths', reserved);

/** Drops reservations whose time or process has ended. `isAlive`: undefined if it cannot be checked. */
export const dropEndedReservations = (
  { last, all }: ReservationState,
  now: number,
  isAlive: (keeper: Keeper) => boolean | undefined,
): ReservationState => ({
  last,
  all: all.filter(({ until, keeper }) => Date.parse(until) > now && !(keeper && isAlive(keeper) === false)),
});

/** A requested reservation; `forMs` in milliseconds. */
export type ReservationRequest = Pick<Reservation, 'by' | 'patterns' | 'mode' | 'why' | 'keeper'> & {
  forMs: number;
};

/** Returns conflicting reservations of others: any overlap by their `spellings`, unless both are shared. */
export function findConflicts(
  { all }: ReservationState,
  { by, patterns, mode }: ReservationRequest,
  spellings: (pattern: string) => string[] = (pattern) => [pattern],
): ReservationConflict[] {
  const canOverlap = (a: string, b: string): boolean =>
    spellings(a).some((one) => spellings(b).some((other) => mayOverlap(one, other)));
  const others = all.filter((one) => one.by !== by && (one.mode === 'exclusive' || mode === 'exclusive'));
  return others.flatMap((reservation) => {
    for (const wanted of patterns) {
      const held = reservation.patterns.find((pattern) => canOverlap(wanted, pattern));
      if (held !== undefined) return [{ wanted, held, reservation }];
    }
    return [];
  });
}

/**
 * Reserves all patterns at once, after conflicts were checked. Patterns that the holder already has
 * move into the new reservation; the same set renews the old one and keeps its id.
 */
export function addReservation(
  before: ReservationState,
  { by, patterns, mode, why, keeper, forMs }: ReservationRequest,
  now: number,
): { next: ReservationState; reservation: Reservation; isRenewed: boolean } {
  const isSame = (one: Reservation): boolean =>
    one.by === by &&
    one.patterns.length === patterns.length &&
    one.patterns.every((pattern) => patterns.includes(pattern));
  const earlier = before.all.find(isSame);
  const last = earlier ? before.last : before.last + 1;
  const reservation: Reservation = {
    id: earlier?.id ?? `r${last}`,
    by,
    patterns,
    mode,
    why,
    until: formatIso(now + forMs),
    ...(keeper && { keeper }),
  };
  const others = before.all.flatMap((one) => {
    if (one.by !== by) return [one];
    const left = one.patterns.filter((pattern) => !patterns.includes(pattern));
    return left.length === 0 ? [] : [{ ...one, patterns: left }];
  });
  return { next: { last, all: [...others, reservation] }, reservation, isRenewed: earlier !== undefined };
}
