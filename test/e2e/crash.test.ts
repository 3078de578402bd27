// A look at three commands, at the calls that change the disk: `npm run test:faults` ends all of them at every call, from
// inside and from outside.
import { describe, it } from 'vitest';
import { CHANGES, killEverywhere } from '../helpers/kill.ts';
import { SCENARIOS } from '../helpers/scenarios.ts';

describe('a command that is killed loses nothing, and the next one just works', () => {
  it.each([
    ['respond, blind', CHANGES],
    ['tick that closes and reveals', CHANGES],
    ['tick that archives', CHANGES],
  ] as const)('%s, at every %s', (name, kinds) => killEverywhere(SCENARIOS[name], kinds), 300_000);
});
