import { expect, it } from 'vitest';
import { playKilled } from '../helpers/killed-plan.ts';

it(
  'finishes each task of a plan once, in their order, though the orchestrator is killed',
  { timeout: 120_000 },
  async () => {
    expect.hasAssertions();
    await playKilled({ tasks: 24, kills: 2 });
  },
);
