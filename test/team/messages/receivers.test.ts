import { expect, it } from 'vitest';
import { sendAndKill } from '../../helpers/receivers.ts';
import { scratch } from '../../core/store/scratch.ts';
import { IS_SHORT } from '../../helpers/long.ts';

it('loses nothing and keeps the order when receivers are killed', async () => {
  const { kills } = await sendAndKill(scratch(), {
    senders: 3,
    receivers: 2,
    messages: IS_SHORT ? 40 : 100,
    every: 700,
  });
  expect(kills).toBeGreaterThan(0);
});
