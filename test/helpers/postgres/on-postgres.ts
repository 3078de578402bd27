// Which end-to-end tests are played on PostgreSQL as well, when, and which are not.

/** By the name of their file, in `npm test`: each plays another part of council. */
export const ON_POSTGRES = [
  'agents-register',
  'context',
  'council-channel',
  'debate',
  'french',
  'ledger',
  'reservations',
  'rules',
  'tasks-joined',
  'tasks-roles',
];

/** The others that tell of councils, messages and tasks: in `npm run test:faults`. */
export const ALL_ON_POSTGRES = [
  ...ON_POSTGRES,
  'agents',
  'before',
  'coordinator',
  'direct',
  'elsewhere',
  'heartbeat',
  'identity',
  'logs',
  'mcp-clients',
  'mcp-http',
  'message-log',
  'messages',
  'model-workers',
  'names',
  'notify',
  'outcomes',
  'panel',
  'people',
  'pinned',
  'protocol',
  'pseudo-terminal',
  'races',
  'read',
  'tasks',
  'tasks-exchanges',
  'tasks-handoff',
  'tasks-limits',
  'tasks-lines',
  'tasks-mcp',
  'tasks-messy',
  'tasks-terminal',
  'trace',
  'trust',
  'watch',
];

const HOST_CLOCK = 'sets the clock of a host, which decides nothing where a database keeps the project';

/** Tests of those files that are not played there: a part of their title, and why. */
export const NOT_ON_POSTGRES: Record<string, { title: string; why: string }[]> = {
  'tasks-exchanges': [{ title: 'while the breaker is open, and when its trial is due', why: HOST_CLOCK }],
  tasks: [
    {
      title: 'leave one alone that has failed three times in a row',
      why: 'reads the file in which the health of agents lies',
    },
  ],
};
