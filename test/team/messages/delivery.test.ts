import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  begin,
  delayBefore,
  escalation,
  inOrder,
  RETRY,
  wantsAck,
} from '../../../src/team/messages/delivery.ts';
import type { Delivery, Queued, Step } from '../../../src/team/messages/delivery.ts';
import { PRIORITIES } from '../../../src/team/messages/message.ts';
import { countCases } from '../../helpers/long.ts';

interface Seen {
  at: number;
  step: Step;
}

/** Plays a delivery second by second until nothing more happens. */
function play(delivery: Delivery, steps: Step[], chance = 0, every = 1000): { seen: Seen[]; last: Delivery } {
  const seen = steps.map((step) => ({ at: 0, step }));
  let now = 0;
  let last = delivery;
  while (last.state === 'sent' || last.state === 'waiting') {
    now += every;
    const moved = advance(last, now, chance);
    last = moved.delivery;
    seen.push(...moved.steps.map((step) => ({ at: now, step })));
    if (now > 10_000_000) throw new Error('It never ends.');
  }
  return { seen, last };
}

const sentTo = (seen: Seen[], name: string): number[] =>
  seen.filter(({ step }) => step.do === 'send' && step.to === name).map(({ at }) => at / 1000);

describe('a message that nobody acknowledges', () => {
  it('is sent at 0, 31, 63 and 97 seconds, goes up at 127, and ends with the dead letters', () => {
    const { delivery, steps } = begin('m1', ['sub', 'lead', 'orch', 'human'], 0);
    const { seen, last } = play(delivery, steps);
    expect(sentTo(seen, 'sub')).toEqual([0, 31, 63, 97]);
    expect(sentTo(seen, 'lead')).toEqual([127, 158, 190, 224]);
    expect(sentTo(seen, 'orch')).toEqual([254, 285, 317, 351]);
    expect(sentTo(seen, 'human')).toEqual([381, 412, 444, 478]);
    expect(seen.at(-1)).toEqual({
      at: 508_000,
      step: { do: 'bounce', reason: 'nobody acknowledged it: sub, lead, orch, human' },
    });
    expect(last.state).toBe('dead');
  });

  it('goes up from where it was meant for', () => {
    expect(escalation('worker')).toEqual(['worker', 'leader', 'orchestrator', 'person']);
    expect(escalation('orchestrator')).toEqual(['orchestrator', 'person']);
  });

  it('waits longer each time, a little by chance, and never too long', () => {
    expect([1, 2, 3, 6, 20].map((retry) => delayBefore(retry))).toEqual([1000, 2000, 4000, 30_000, 30_000]);
    expect(delayBefore(1, 1)).toBe(1200);
    expect(delayBefore(20, 1)).toBe(30_000);
  });

  it('expires where it has a time to live', () => {
    const { delivery, steps } = begin('m1', ['sub', 'lead'], 0, 40);
    const { seen, last } = play(delivery, steps);
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

const queued: fc.Arbitrary<Queued[]> = fc
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
          const { delivery, steps } = begin('m', chain, 0);
          const { seen, last } = play(delivery, steps, chance, every);
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
        const order = inOrder(queue);
        expect(order.map(({ id }) => id).sort()).toEqual(queue.map(({ id }) => id).sort());
        const place = new Map(order.map(({ id }, at) => [id, at]));
        const laneOf = ({ from, priority = 'normal' }: Queued): string => `${from} ${priority}`;
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
        const rank = ({ priority = 'normal' }: Queued): number => PRIORITIES.indexOf(priority);
        const expected = plain.toSorted((a, b) => rank(a) - rank(b));
        expect(inOrder(plain)).toEqual(expected);
      }),
      { numRuns: countCases(500) },
    );
  });

  it('lets a critical answer wait for what it answers, which keeps its own place', () => {
    const order = inOrder([
      { id: 'a', from: 'x', priority: 'normal' },
      { id: 'b', from: 'y', priority: 'low' },
      { id: 'c', from: 'y', priority: 'critical', replyTo: 'b' },
      { id: 'd', from: 'x', priority: 'high', replyTo: 'elsewhere' },
    ]);
    expect(order.map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c']);
  });
});
