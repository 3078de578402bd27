// Which end-to-end tests are played through a server as well (in `npm run test:faults`), and which are not.

/** By the name of their file: councils, then archives, messages and tasks. */
export const THROUGH_SERVER = [
  'authenticity',
  'before',
  'blindness',
  'context',
  'contract',
  'coordinator',
  'cost',
  'debate',
  'direct',
  'errors',
  'events',
  'failures',
  'french',
  'hints',
  'hostile',
  'identity',
  'ledger',
  'names',
  'notify',
  'outcomes',
  'panel',
  'people',
  'races',
  'read',
  'redacted',
  'rules',
  'sealed',
  'terminal',
  'watch',
  'archived',
  'archives',
  'cut-archive',
  'edits',
  'agents-register',
  'approvals',
  'council-channel',
  'message-log',
  'messages',
  'reservations',
  'tasks',
  'tasks-exchanges',
  'tasks-handoff',
  'tasks-joined',
  'tasks-limits',
  'tasks-lines',
  'tasks-messy',
  'tasks-roles',
];

const NOT_SENT = 'a text that cannot be sent is kept where it was written, and its council has not seen it';
const KEPT_HERE = 'a refused text is kept where it was written, and not where the server keeps it as well';
const TOLD_LATER = 'what happens during a call is told with its answer';
const ACTOR = 'a change over the API is recorded as one that came `via api`';

/** Tests of those files that are not played there: a part of their title, and why. */
export const NOT_THROUGH_SERVER: Record<string, { title: string; why: string }[]> = {
  approvals: [
    { title: 'say whether somebody was at a terminal', why: 'a server sees no terminal of who asks it' },
  ],
  blindness: [{ title: 'keeps refused texts out of the project too', why: NOT_SENT }],
  context: [
    {
      title: 'is told, stands in prompt, state and archive, and is nothing by default',
      why: 'start takes no --read over the API',
    },
  ],
  contract: [
    { title: 'respond: accepted, repeated, different, replaced, and after the phase', why: KEPT_HERE },
  ],
  errors: [
    { title: 'a private folder inside the project', why: 'names the private folder of this process alone' },
  ],
  hostile: [{ title: 'are refused and kept when they are no text', why: NOT_SENT }],
  identity: [
    { title: 'is in nothing that a bound participant hears', why: KEPT_HERE },
    { title: 'shows the tokens of people once, and keeps hashes', why: ACTOR },
    { title: 'records who acted', why: ACTOR },
  ],
  tasks: [
    { title: 'tells how far it is while its worker is at work', why: TOLD_LATER },
    {
      title: 'asks anew when the plan says meanwhile that it may write',
      why: 'who may write is said on the machine of the project alone',
    },
    {
      title: 'have one report of all: what each found',
      why: 'the plan of a machine elsewhere is kept apart from others of its name',
    },
    {
      title: 'are taken up by a tick when whoever played was killed',
      why: 'whoever kills a command kills no server',
    },
  ],
  'tasks-exchanges': [
    {
      title: 'while the breaker is open, and when its trial is due',
      why: 'the clock of a command is not that of the server',
    },
  ],
  'tasks-lines': [{ title: 'asks, and is answered while it works', why: TOLD_LATER }],
};

/** The end-to-end tests that are not played there at all, and why. */
export const PAST_SERVER: { why: string; files: string[] }[] = [
  {
    why: 'have a server of their own, or a worker for one',
    files: [
      'elsewhere',
      'labels',
      'open',
      'page-size',
      'pages',
      'seat',
      'serve',
      'serve-blind',
      'serve-keys',
      'serve-quotes',
      'serve-several',
      'serve-tokens',
      'serve-upgrade',
      'workers',
      'workers-attacked',
      'workers-tasks',
    ],
  },
  {
    why: 'make a database of their own, with projects that ask no server',
    files: [
      'blindness-postgres',
      'demo-postgres',
      'fleet',
      'pinned',
      'pooler',
      'postgres-faults',
      'postgres-repair',
    ],
  },
  {
    why: 'are about this process: its files under a fault, its clock, a signal to it, what it has launched',
    files: [
      'clock',
      'crash',
      'delivery',
      'due',
      'earlier-build',
      'fuzz',
      'interruption',
      'not-files',
      'orphans',
      'owner-gone',
      'copies',
      'repair',
      'synced',
    ],
  },
  {
    why: 'are about trust, which nobody gives over the wire',
    files: ['folders', 'foreign-programs', 'trust'],
  },
  {
    why: 'ask the tool server, which is a face of its own',
    files: ['mcp-clients', 'mcp-http', 'mcp-limits'],
  },
  {
    why: 'are about one command, agent file, program or screen, and ask hardly anything that a server does',
    files: [
      'agents',
      'agents-edit',
      'arguments',
      'commands-help',
      'compiled-code',
      'completion',
      'demo',
      'detect',
      'doctor',
      'editor',
      'export-page',
      'check-worker',
      'outside',
      'heartbeat',
      'help',
      'hostile-yaml',
      'install',
      'light',
      'logs',
      'permissions',
      'project',
      'protocol',
      'pseudo-terminal',
      'schedule-variables',
      'screens',
      'self-respond',
      'skill',
      'stdout',
      'trace',
    ],
  },
  {
    why: 'are about tasks, with a server, tools, processes, worktrees or a screen of their own',
    files: [
      'model-workers',
      'tasks-attacked',
      'tasks-elsewhere',
      'tasks-killed',
      'tasks-mcp',
      'tasks-terminal',
      'tasks-worktree',
    ],
  },
];
