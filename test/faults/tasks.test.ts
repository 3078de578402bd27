import { expect, it } from 'vitest';
import { playKilled } from '../helpers/killed-plan.ts';

it(
  'finishes each of 200 tasks once, in their order, though the orchestrator is killed ten times',
  { timeout: 600_000 },
  async () => {
    expect.hasAssertions();
    await playKilled({ tasks: 200, kills: 10 });
  },
);
