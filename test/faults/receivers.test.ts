// 20,000 messages from 8 senders to 4 receivers that are killed again and again.
import { expect, it } from 'vitest';
import { sendAndKill } from '../helpers/receivers.ts';
import { scratch } from '../core/store/scratch.ts';

it('loses none of 20,000 messages', { timeout: 3_600_000 }, async () => {
  const numbers = { senders: 8, receivers: 4, messages: 2500, every: 1500 };
  const { kills, repeated } = await sendAndKill(scratch(), numbers);
  console.log(`${kills} receivers were killed; ${repeated} messages were received more than once.`);
  expect(kills).toBeGreaterThan(10);
});
