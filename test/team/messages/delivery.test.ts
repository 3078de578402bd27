import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  begin,
  computeRetryDelay,
  listEscalationRoles,
  sortQueue,
  RETRY,
  wantsAck,
} from '../../../src/team/messages/delivery.ts';
import type { Delivery, QueuedMessage } from '../../../src/team/messages/delivery.ts';
import { PRIORITIES } from '../../../src/team/messages/message.ts';
import { countCases } from '../../helpers/long.ts';

interface Seen {
  at: number;
  to: string;
}

/** Plays a delivery second by second until nothing more happens. */
function play(delivery: Delivery, chance = 0, every = 1000): { seen: Seen[]; last: Delivery; end: number } {
  const seen = [{ at: 0, to: delivery.chain[0]! }];
  let now = 0;
  let last = delivery;
  while (last.state === 'sent' || last.state === 'waiting') {
    now += every;
    const next = advance(last, now, chance);
    const isSent = next.state === 'sent' && (last.state === 'waiting' || next.at > last.at);
    if (isSent) seen.push({ at: now, to: next.chain[next.at]! });
    last = next;
    if (now > 10_000_000) throw new Error('It never ends.');
  }
  return { seen, last, end: now };
}

const sentTo = (seen: Seen[], name: string): number[] =>
  seen.filter(({ to }) => to === name).map(({ at }) => at / 1000);

describe('a message that nobody acknowledges', () => {
  it('is sent at 0, 31, 63 and 97 seconds, goes up at 127, and ends with the dead letters', () => {
    const { seen, last, end } = play(begin('m1', ['sub', 'lead', 'orch', 'human'], 0));
    expect(sentTo(seen, 'sub')).toEqual([0, 31, 63, 97]);
    expect(sentTo(seen, 'lead')).toEqual([127, 158, 190, 224]);
    expect(sentTo(seen, 'orch')).toEqual([254, 285, 317, 351]);
    expect(sentTo(seen, 'human')).toEqual([381, 412, 444, 478]);
    expect(end).toBe(508_000);
    expect(last).toMatchObject({
      state: 'dead',
      reason: 'nobody acknowledged it',
    });
  });

  it('goes up from where it was meant for', () => {
    expect(listEscalationRoles('worker')).toEqual(['worker', 'leader', 'orchestrator', 'person']);
    expect(listEscalationRoles('orchestrator')).toEqual(['orchestrator', 'person']);
  });

  it('waits longer each time, a little by chance, and never too long', () => {
    expect([1, 2, 3, 6, 20].map((retry) => computeRetryDelay(retry))).toEqual([
      1000, 2000, 4000, 30_000, 30_000,
    ]);
    expect(computeRetryDelay(1, 1)).toBe(1200);
    expect(computeRetryDelay(20, 1)).toBe(30_000);
  });

  it('expires where it has a time to live', () => {
    const { seen, last } = play(begin('m1', ['sub', 'lead'], 0, 40));
    expect(sentTo(seen, 'sub')).toEqual([0, 31]);
    expect(last).toMatchObject({ state: 'expired', reason: 'its time to live is over' });
  });
});

describe('an ACK', () => {
  it('is wanted by requests, control and mentions', () => {
    const want = (kind: string, isMentioned = false): boolean =>
      wantsAck({ id: 'm', kind, to: 'a' }, isMentioned);
    expect(['request', 'control', 'handoff'].map((kind) => want(kind))).toEqual([true, true, true]);
    expect(['response', 'event', 'broadcast', 'heartbeat', 'ack', 'chat'].map((kind) => want(kind))).toEqual(
      Array(6).fill(false),
    );
    expect([want('chat', true), want('ack', true)]).toEqual([true, false]);
  });
});

const queued: fc.Arbitrary<QueuedMessage[]> = fc
  .array(
    fc.record({
      from: fc.constantFrom('a', 'b', 'c'),
      priority: fc.option(fc.constantFrom(...PRIORITIES), { nil: undefined }),
      answers: fc.option(fc.nat(30), { nil: undefined }),
    }),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(({ answers, ...one }, at) => ({
      ...one,
      id: `m${at}`,
      replyTo: answers === undefined ? undefined : `m${answers}`,
    })),
  );

describe('any delivery and any queue', () => {
  it('is tried four times each, whenever somebody looks, and comes to an end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 100_000 }),
        (names, chance, every) => {
          const chain = names.map((name, at) => `${name}${at}`) as [string, ...string[]];
          const { seen, last } = play(begin('m', chain, 0), chance, every);
          expect(last.state).toBe('dead');
          for (const name of chain) expect(sentTo(seen, name)).toHaveLength(1 + RETRY.retries);
          const waits = seen.slice(1).map(({ at }, index) => at - seen[index]!.at);
          expect(Math.min(...waits)).toBeGreaterThanOrEqual(RETRY.ackMs);
        },
      ),
      { numRuns: countCases(300) },
    );
  });

  it('is put into an order that keeps every promise', () => {
    fc.assert(
      fc.property(queued, (queue) => {
        const order = sortQueue(queue);
        expect(order.map(({ id }) => id).sort()).toEqual(queue.map(({ id }) => id).sort());
        const place = new Map(order.map(({ id }, at) => [id, at]));
        const laneOf = ({ from, priority = 'normal' }: QueuedMessage): string => `${from} ${priority}`;
        for (const lane of Map.groupBy(queue, laneOf).values())
          expect(lane.map(({ id }) => place.get(id)!)).toEqual(
            lane.map(({ id }) => place.get(id)!).sort((a, b) => a - b),
          );
        // What has to come before each: its predecessor from the same sender, and what it answers.
        const before = new Map(
          queue.map((one, at) => [
            one.id,
            [
              queue.slice(0, at).findLast((other) => laneOf(other) === laneOf(one))?.id,
              place.has(one.replyTo ?? '') && one.replyTo !== one.id ? one.replyTo : undefined,
            ].filter((id) => id !== undefined),
          ]),
        );
        const placed = new Set<string>();
        for (let grown = -1; grown !== placed.size;) {
          grown = placed.size;
          for (const [id, needed] of before) if (needed.every((one) => placed.has(one))) placed.add(id);
        }
        // In a circle of waiting the rules cannot all be kept.
        if (placed.size === queue.length)
          for (const [id, needed] of before)
            for (const one of needed) expect(place.get(one)!).toBeLessThan(place.get(id)!);
        // Without answers: by priority, and as they came within one.
        const plain = queue.map((one) => ({ ...one, replyTo: undefined }));
        const rank = ({ priority = 'normal' }: QueuedMessage): number => PRIORITIES.indexOf(priority);
        const expected = plain.toSorted((a, b) => rank(a) - rank(b));
        expect(sortQueue(plain)).toEqual(expected);
      }),
      { numRuns: countCases(500) },
    );
  });

  it('lets a critical answer wait for what it answers, which keeps its own place', () => {
    const order = sortQueue([
      { id: 'a', from: 'x', priority: 'normal' },
      { id: 'b', from: 'y', priority: 'low' },
      { id: 'c', from: 'y', priority: 'critical', replyTo: 'b' },
      { id: 'd', from: 'x', priority: 'high', replyTo: 'elsewhere' },
    ]);
    expect(order.map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c']);
  });
});
