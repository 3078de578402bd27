import { expect, it } from 'vitest';
import {
  findConflicts,
  createReservations,
  addReservation,
  dropEndedReservations,
} from '../../../src/team/messages/reservations.ts';
import type { ReservationState, ReservationRequest } from '../../../src/team/messages/reservations.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import { renderJsonDocument, createJsonStampReader } from '../../../src/core/store/documents.ts';

const NOW = Date.parse('2026-01-11T16:30:00.000Z');
const EMPTY: ReservationState = { last: 0, all: [] };
const wanted = (
  by: string,
  patterns: string[],
  more: Partial<ReservationRequest> = {},
): ReservationRequest => ({
  by,
  patterns,
  mode: 'exclusive',
  why: null,
  forMs: 60_000,
  ...more,
});
const after = (before: ReservationState, want: ReservationRequest): ReservationState =>
  addReservation(before, want, NOW).next;

it('is refused by what meets it, unless both share', () => {
  const held = after(EMPTY, wanted('ana', ['src/**', 'docs'], { mode: 'shared' }));
  expect(findConflicts(held, wanted('ben', ['test']))).toEqual([]);
  expect(findConflicts(held, wanted('ben', ['src/x.ts'], { mode: 'shared' }))).toEqual([]);
  expect(findConflicts(held, wanted('ana', ['src/x.ts']))).toEqual([]);
  expect(findConflicts(held, wanted('ben', ['test', 'docs/x.md']))).toMatchObject([
    { wanted: 'docs/x.md', held: 'docs', reservation: { id: 'r1', by: 'ana' } },
  ]);
});

it('is renewed with the same id, and takes over single patterns of its holder', () => {
  const first = after(EMPTY, wanted('ana', ['src', 'docs']));
  const again = addReservation(first, wanted('ana', ['docs', 'src'], { forMs: 120_000, why: 'more' }), NOW);
  expect(again).toMatchObject({
    isRenewed: true,
    reservation: { id: 'r1', until: '2026-01-11T16:32:00.000Z', why: 'more' },
  });
  expect(after(first, wanted('ana', ['docs']))).toMatchObject({
    last: 2,
    all: [
      { id: 'r1', patterns: ['src'] },
      { id: 'r2', patterns: ['docs'] },
    ],
  });
});

it('ends with its time, or with its process', () => {
  const keeper = { host: 'h', bootId: 'b', pid: 12, startTime: '1' };
  const held = after(EMPTY, wanted('ana', ['src'], { keeper }));
  expect(dropEndedReservations(held, NOW + 59_999, () => true)).toEqual(held);
  expect(dropEndedReservations(held, NOW, () => undefined)).toEqual(held);
  expect(dropEndedReservations(held, NOW, () => false).all).toEqual([]);
  expect(dropEndedReservations(held, NOW + 60_000, () => true).all).toEqual([]);
});

it('is kept in one document, in which nothing else is believed', async () => {
  const store = memoryStore();
  const reservations = createReservations(store);
  await reservations.change((before) => after(before, wanted('ana', ['src'], { why: 'mine' })));
  await reservations.change((before) => before);
  expect(await reservations.read()).toMatchObject({ last: 1, all: [{ id: 'r1', by: 'ana', why: 'mine' }] });
  const { text, revision } = (await store.read('paths'))!;
  expect(createJsonStampReader('reservations')(text)).toMatchObject({ revision: 1, intact: true });
  const all = [null, 3, {}, { id: 'r9', by: 'x', patterns: 'src', mode: 'mine', until: 'soon' }];
  await store.commit('paths', renderJsonDocument({ last: '7', all }, revision + 1), revision);
  expect(await reservations.read()).toEqual(EMPTY);
});
