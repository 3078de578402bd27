// What people type for a command, an action or an option that is called otherwise here.
import { nearest } from '../base/unknown-name.ts';
import type { Fields, Raw } from '../app/input/fields.ts';

/** Other names of commands: they are run as these. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ls: 'list',
  last: 'show',
  latest: 'show',
  agent: 'agents',
  mode: 'modes',
  server: 'serve',
};

/** Other names of actions, such as `delete` in council agents delete. */
const ACTION_SYNONYMS: Readonly<Record<string, string>> = {
  ls: 'list',
  delete: 'remove',
  rm: 'remove',
  new: 'add',
  create: 'add',
  get: 'show',
  change: 'edit',
};

/** The arguments with a command by its name here; `help all` is the long list. */
export function understandCommand([command, ...rest]: string[]): string[] {
  if (command === undefined) return [];
  if (command === 'help') return rest[0] === 'all' ? ['--help'] : [command, ...understandCommand(rest)];
  return [Object.hasOwn(SYNONYMS, command) ? SYNONYMS[command]! : command, ...rest];
}

/** What was given, with an action by its name here. */
export function understandAction(fields: Fields, raw: Raw): Raw {
  const { action } = fields;
  if (action?.kind !== 'choice' || typeof raw.action !== 'string') return raw;
  const meant = Object.hasOwn(ACTION_SYNONYMS, raw.action) ? ACTION_SYNONYMS[raw.action] : undefined;
  const isMeant = !action.choices.includes(raw.action) && action.choices.some((one) => one === meant);
  return isMeant ? { ...raw, action: meant } : raw;
}

/** Options that people type for others, of whichever command. */
const OPTIONS: [options: string, answer: string][] = [
  ['model models', 'A model stands behind its program: --agents claude:opus,codex'],
  ['judge chair chairman moderator', 'Who writes the synthesis: --coordinator ID'],
  ['human self', 'You sit yourself with: council ask --me'],
  ['rounds', 'How often they challenge and answer each other: council run --repeat 2'],
  ['budget max-cost cost', 'The most US$ to use up: --budget-usd 1'],
  [
    'html md markdown adr svg o out',
    'Choose the form, and where it goes: council export last --format html --output page.html',
  ],
  ['pdf', 'A browser prints the page as PDF: council export last --format html --output page.html'],
  ['fix', 'Doctor changes nothing: each of its findings names the command that mends it.'],
  ['q silent', 'The result alone, without what happens on the way: --quiet'],
  ['verbose debug v', 'All that an agent has printed: council logs AGENT.'],
  ['read-only', 'Agents change no file in a council, and read none of yours unless you say --read project'],
  [
    'persona personas roles role',
    'A persona stands behind its program: --agents claude@skeptic,codex@security. See: council agents personas',
  ],
  ['show-prompt prompt', 'What would be asked, and what it may cost: council run --dry-run'],
  ['vote', 'Choices to decide between: --option A --option B. All answers put in order: --mode rank'],
  ['continue', 'Ask the same table about what came of a council: council ask --after last "QUESTION"'],
];

/** Words that name no command, with what to do for them. */
const ANSWERS: [words: string, answer: string][] = [
  [
    'join',
    'A seat that somebody has invited you to is taken in a browser, by the link of the invitation. To invite: council invite ID',
  ],
  [
    'resume',
    'A council that was interrupted goes on with: council ask --resume, or council run --resume, as it was begun. A task: council task resume ID',
  ],
  [
    'pause',
    'A council waits by itself when council run is interrupted (Ctrl-C). A task: council task pause ID',
  ],
  [
    'config configure settings set',
    'Settings stand in COUNCIL.md, which council init writes into a folder. What works with them: council doctor',
  ],
  [
    'reopen',
    'An archived council stays as it is. Ask its table further: council ask --after last "QUESTION". Put its question to another table: council rerun last',
  ],
  ['stop end close abort kill', 'End a council before its time with: council cancel --why "REASON"'],
  ['vote', 'A vote is a line of an answer, such as position: P2. Answer with: council respond ID'],
  ['answer reply contribute', 'Answer as somebody at the table with: council respond ID'],
  [
    'new create question debate convene',
    'Ask with: council ask "QUESTION". For a debate to the end: council run "QUESTION"',
  ],
  [
    'delete remove rm',
    'End a council with: council cancel --why "REASON". Take an agent away with: council agents remove ID. An archive is a file in conseils/, to be deleted like any other: council list',
  ],
  [
    'edit modify',
    'Change an agent with: council agents edit ID. Settings and house rules stand in COUNCIL.md',
  ],
  [
    'archive result results decision answers',
    'What was decided last: council show. All archives: council list, and one of them: council show ID',
  ],
  [
    'clean reset clear',
    'An open council ends with: council cancel --why "REASON". Archives are files in conseils/. What council install wrote: council uninstall',
  ],
  ['verify validate', 'Whether all archives are as they were recorded: council doctor'],
  ['web ui gui page browser', 'The pages of this project in a browser: council open'],
  ['add', 'Add an agent or a person with: council agents add ID'],
  ['members participants seats models', 'Who can sit at a table: council agents'],
  [
    'personas persona roles',
    'Parts that a model can play: council agents personas. One is seated as claude@skeptic: council ask "QUESTION" --agents claude@skeptic,codex',
  ],
  [
    'dissent minority',
    'Who disagrees stands in what is printed at the end, and in the archive: council show. Which claims were challenged: council ledger',
  ],
  ['rank', 'The answers of all are ranked by all with: council run "QUESTION" --mode rank'],
  ['second-opinion opinion', 'Ask several at once, and see who differs: council ask "QUESTION"'],
  ['share publish', 'An archive as a page of one file, which can be sent: council export last --format html'],
  ['usage stats', 'What councils have cost: council cost'],
  ['setup', 'Prepare this folder: council init. What works here: council doctor'],
  ['grep find', 'Find words in all archives: council search WORDS'],
  [
    'implement build fix do',
    'A council decides and changes no file. Agents do work by: council task run "WHAT TO DO"',
  ],
  ['me', 'You sit yourself with: council ask --me "QUESTION"'],
  [
    'update upgrade',
    'Install a newer version the way you installed this one; README.md has the command. The version here: council version',
  ],
  [
    'undo revert rollback',
    'Every revision of an open council is kept. List them with: council history --name NAME. Go back to one with: council restore',
  ],
  ['login auth', 'Each agent program has its own login. Which of them work: council doctor --probe'],
];

/** What to do for a word that names no command; undefined where that is not known. */
export const findAnswer = (word: string): string | undefined => findRow(ANSWERS, word);

/** What to do for an option that a command does not have, such as model; undefined where that is not known. `known`: flags it has. */
export function findOptionAnswer(option: string, known: readonly string[]): string | undefined {
  const answer = findRow(OPTIONS, option);
  const meant = option.length === 1 ? known.filter((one) => one.startsWith(`--${option}`)) : [];
  return answer ?? (meant.length === 0 ? undefined : `Options are written out: ${meant.join(', ')}`);
}

const findRow = (table: readonly (readonly [string, string])[], word: string): string | undefined =>
  table.find(([words]) => words.split(' ').includes(word))?.[1];

/** Commander's message about a command line, without a suggestion that is not close. */
export function readRefusal({ code, message }: { code: string; message: string }, command = ''): string {
  if (code === 'commander.help') return `unknown command '${command}'`;
  const said = message.replace(/^error: /, '');
  const [, given = '', guess] = /'-*([^'=]*).*\n\(Did you mean -*([^?]+)\?\)/.exec(said) ?? [];
  return guess !== undefined && nearest(given, [guess]) === undefined ? said.replace(/\n[^]*/, '') : said;
}
