import { expect, it } from 'vitest';
import type { Caller } from '../../../../src/server/remote/perform-call.ts';
import { identifyCaller, LOCAL_OPENER, createSessions } from '../../../../src/server/http/pages/visitor.ts';

const seat = (id?: string): Caller => ({
  role: 'participant',
  ...(id !== undefined && { id }),
  participant: 'ada',
  council: 'queue',
  conversationId: 'x',
});
const who = (caller: Caller) => async () => caller;

it('a flood of one invitation ends its own sessions only, the oldest first, not those of another one of the same seat', () => {
  const sessions = createSessions();
  const begin = (caller: Caller): string => sessions.begin(caller, who(caller)).secret;
  const others = [seat('second'), seat(), { role: 'member', id: 'ana' } as const, LOCAL_OPENER].map(begin);
  const first = begin(seat('leaked'));
  for (let count = 0; count < 1000; count++) begin(seat('leaked'));
  expect(sessions.find(first)).toBeUndefined();
  expect(others.map((secret) => sessions.find(secret) !== undefined)).toEqual([true, true, true, true]);
  // It is the same person all the same, who is not asked twice.
  expect(identifyCaller(seat('leaked'))).toBe(identifyCaller(seat('second')));
});

it('a session that was not used for half a day is over', () => {
  let now = 0;
  const sessions = createSessions(() => now);
  const { secret } = sessions.begin(seat('one'), who(seat('one')));
  now = 12 * 3_600_000;
  expect(sessions.find(secret)).toBeDefined();
  now += 12 * 3_600_000 + 1;
  expect(sessions.find(secret)).toBeUndefined();
});
