// The calls of workers, as data: machines that launch agents for a server.
import type { Call } from './call.ts';

const WORKER = {
  readOnly: false,
  idempotent: true,
  again: 'same',
  openWorld: false,
  roles: ['worker'],
  tool: false,
} as const;

export const workerCalls = {
  lease: {
    title: 'Lease launches',
    description:
      'Renews the row of a heartbeat elsewhere, closes phases that may close, and leases launches of agents that it has and trusts. The answer says whom to ask what; nothing in it is run.',
    ...WORKER,
    idempotent: false,
    again: 'adds',
  },
  renew: {
    title: 'Renew a heartbeat',
    description:
      'Says that a heartbeat elsewhere lives: every 10 s. After 30 s it is dead, and its leases are free.',
    ...WORKER,
  },
  record: {
    title: 'Record an answer',
    description: 'Records what a leased launch has said. The same again changes nothing.',
    ...WORKER,
  },
  fail: {
    title: 'Report a failure',
    description: 'Gives back the lease of a launch that failed.',
    ...WORKER,
  },
} satisfies Record<string, Call>;
