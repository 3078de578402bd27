// The calls of messages, tasks, reservations, approvals and workers, as data.
import { OWNER, TEAM } from '../../core/app/roles.ts';
import { LOOK, MESSAGES, PAGES } from './call.ts';
import type { Call } from './call.ts';

export const messageCalls = {
  send: {
    title: 'Send a message',
    description:
      'Sends a message to an agent, all, human or supervisor. Say in `from` who you are, and the recipient in `to`.',
    needs: ['to', 'from'],
    readOnly: false,
    idempotent: false,
    openWorld: false,
    roles: TEAM,
    again: 'adds',
    who: 'from',
    spoken: true,
  },
  inbox: {
    title: 'Read messages',
    description: `The messages to an agent and to all; marks nothing read. ${PAGES} A long text is cut, with its length and the cursor of its rest. ${MESSAGES}`,
    ...LOOK,
    pages: { key: 'messages', from: 'end' },
    light: ['list'],
    roles: TEAM,
    who: 'agent',
  },
  ack: {
    title: 'Acknowledge messages',
    description: 'Says that a recipient has handled messages.',
    readOnly: false,
    idempotent: true,
    openWorld: false,
    roles: TEAM,
    again: 'same',
    who: 'as',
  },
  nack: {
    title: 'Refuse messages',
    description: 'Refuses messages for a recipient; their senders are told why.',
    readOnly: false,
    idempotent: true,
    openWorld: false,
    roles: TEAM,
    again: 'same',
    who: 'as',
  },
  sent: {
    title: 'See what became of messages',
    description:
      'For every message of a sender and each of its recipients: stored, delivered, acknowledged, answered or dead.',
    needs: ['from'],
    ...LOOK,
    pages: { key: 'messages', from: 'end' },
    roles: TEAM,
    who: 'from',
    spoken: true,
  },
  task: {
    title: 'Have agents do tasks',
    description: `run gives an instruction to an agent that can do it, and returns the result, after 20 s that it goes on (the same call again waits for it), or how it stands where a person or another machine has to come first; list, show, log and trace tell how tasks stand. Agents that are not trusted are refused. ${MESSAGES}`,
    // What its owner alone may say, such as trust and who may write, is not among them.
    fields: [
      'action',
      'text',
      'set',
      'needs',
      'to',
      'priority',
      'budget',
      'timeout',
      'after',
      'explain',
      'all',
      'agent',
    ],
    more: ['context', 'concurrency', 'risk', 'readOnly', 'plan'],
    // Who watches asks again; who waits for the result has it played again.
    actions: { watch: [] },
    light: ['list', 'show', 'log'],
    readOnly: false,
    idempotent: false,
    openWorld: true,
    roles: TEAM,
    again: 'adds',
  },
  reserve: {
    title: 'Reserve files',
    description:
      'Reserves files before you change them, by path patterns; say in `as` who you are. Refused with the holder where somebody else has them. Ends with release, with a session over stdio, or after `for`.',
    fields: ['patterns', 'as', 'for', 'shared', 'why', 'ask'],
    readOnly: false,
    idempotent: true,
    openWorld: false,
    roles: TEAM,
    again: 'same',
    who: 'as',
  },
  release: {
    title: 'Release files',
    description: 'Gives up reservations: those named, or all of yours.',
    readOnly: false,
    idempotent: false,
    openWorld: false,
    roles: TEAM,
    again: 'same',
    who: 'as',
  },
  reservations: {
    title: 'See who works where',
    description: `The reserved files, with holder, reason and end. ${MESSAGES}`,
    ...LOOK,
    roles: TEAM,
  },
  approvals: {
    title: 'See what waits for approval',
    description: `What agents have asked a person to allow, and the answers; with an id one request in full. Only a person approves. ${MESSAGES}`,
    fields: ['id'],
    // Who decides is said by the token, or by a person at a command line.
    more: ['action', 'reason', 'as'],
    who: 'as',
    actions: { approve: OWNER, reject: OWNER },
    light: ['list'],
    // What is decided stays so.
    again: 'same',
    ...LOOK,
    roles: TEAM,
  },
} satisfies Record<string, Call>;

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
