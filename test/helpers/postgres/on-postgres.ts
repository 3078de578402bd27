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
  'approvals',
  'archives',
  'before',
  'blindness',
  'contract',
  'coordinator',
  'cost',
  'direct',
  'doctor',
  'elsewhere',
  'errors',
  'events',
  'failures',
  'heartbeat',
  'hints',
  'identity',
  'interruption',
  'logs',
  'mcp-clients',
  'mcp-http',
  'message-log',
  'messages',
  'model-workers',
  'names',
  'notify',
  'outcomes',
  'owner-gone',
  'panel',
  'people',
  'pinned',
  'protocol',
  'pseudo-terminal',
  'races',
  'read',
  'tasks',
  'tasks-attacked',
  'tasks-exchanges',
  'tasks-handoff',
  'tasks-killed',
  'tasks-limits',
  'tasks-lines',
  'tasks-mcp',
  'tasks-messy',
  'tasks-terminal',
  'tasks-worktree',
  'trace',
  'trust',
  'watch',
];

const HOST_CLOCK = 'sets the clock of a host, which decides nothing where a database keeps the project';

const FILES = 'reads or damages a file of the project that a database keeps';
const PRIVATE = 'reads a text in the private folder that a database guards';
const HEALTH = 'reads or writes the file in which the health of agents lies';
const SHOWN = 'tells where a text or a council lies, by its file';

/** Tests of those files that are not played there: a part of their title, and why. */
export const NOT_ON_POSTGRES: Record<string, { title: string; why: string }[]> = {
  blindness: [{ title: 'keeps refused texts out of the project too', why: PRIVATE }],
  contract: [
    { title: 'start: exactly the keys of the contract', why: SHOWN },
    { title: 'respond: accepted, repeated, different, replaced, and after the phase', why: PRIVATE },
    { title: 'status: the state of every active council', why: SHOWN },
  ],
  cost: [
    { title: 'sums what launches used up', why: 'copies an archive in its folder' },
    { title: 'shows what a failing program printed', why: HEALTH },
    { title: 'waits in `run` for the end of a pause', why: HEALTH },
    { title: 'ends `run` at the deadline while an agent is paused', why: HEALTH },
  ],
  doctor: [
    { title: 'finds nothing wrong with a new project', why: 'lists the checks of a project in files' },
    { title: 'finds what an accident left in the store', why: FILES },
    { title: 'finds a private folder that others can enter', why: 'expects the folder of sealed texts' },
  ],
  errors: [{ title: 'a private folder inside the project', why: 'expects the folder of sealed texts' }],
  failures: [
    { title: 'keeps what a program says after its phase', why: SHOWN },
    {
      title: 'says how the council stands and what finishes it',
      why: 'fills the disk of an archive in files',
    },
  ],
  hints: [{ title: 'says in status whose sealed text is missing', why: PRIVATE }],
  interruption: [
    { title: 'between two attempts', why: 'waits for a line that is on the screen for a moment only' },
    { title: 'with a word', why: 'sees that a command waits by the folder that it watches' },
  ],
  'tasks-attacked': [{ title: 'keeps no tick from playing the others', why: FILES }],
  'tasks-exchanges': [{ title: 'while the breaker is open, and when its trial is due', why: HOST_CLOCK }],
  'tasks-killed': [{ title: 'link,rename', why: FILES }],
  tasks: [{ title: 'leave one alone that has failed three times in a row', why: HEALTH }],
};

/** The end-to-end tests that are not played there at all, and why. */
export const OFF_POSTGRES: { why: string; files: string[] }[] = [
  {
    why: 'make a database of their own in `npm test`',
    files: [
      'blindness-postgres',
      'demo-postgres',
      'fleet',
      'pooler',
      'postgres-connections',
      'postgres-faults',
      'postgres-repair',
      'serve-several',
      'serve-tokens',
      'store-copy',
    ],
  },
  {
    why: 'read, damage or put files in which a project without a database keeps its councils, archives and messages',
    files: [
      'archived',
      'authenticity',
      'crash',
      'cut-archive',
      'damage',
      'due',
      'earlier-build',
      'edits',
      'fuzz',
      'hostile',
      'links',
      'not-files',
      'orphans',
      'redacted',
      'terminal',
      'terminal-walk',
      'watch-channel',
    ],
  },
  {
    why: 'look for sealed and refused texts in the private folder',
    files: ['limits', 'mcp-limits', 'sealed'],
  },
  { why: 'set the clock of a host, which decides nothing there', files: ['clock', 'delivery'] },
  {
    why: 'are about serving a project: `serve-several`, `serve-tokens` and the store behind it are tested on both',
    files: ['labels', 'open', 'seat', 'serve', 'serve-keys', 'serve-upgrade', 'workers'],
  },
  {
    why: 'are about one command, agent file, program or screen, in which the store has no part',
    files: [
      'agents-edit',
      'arguments',
      'commands-help',
      'compiled-code',
      'completion',
      'demo',
      'detect',
      'editor',
      'export-page',
      'folders',
      'foreign-programs',
      'help',
      'hostile-yaml',
      'install',
      'light',
      'mcp-folders',
      'permissions',
      'project',
      'repair',
      'schedule-variables',
      'screens',
      'self-respond',
      'skill',
    ],
  },
];
