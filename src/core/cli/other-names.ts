// What people type for a command, an action or an option that is called otherwise here.
import { nearest } from '../base/unknown-name.ts';
import type { Fields, Raw } from '../app/input/fields.ts';

/** Other names of commands: they are run as these, word for word. */
const SYNONYMS: [words: string, command: string][] = [
  ['ls', 'list'],
  ['last latest result results decision', 'show'],
  ['agent', 'agents'],
  ['personas', 'agents personas'],
  ['mode', 'modes'],
  ['server', 'serve'],
  ['web ui gui browser', 'open'],
  ['usage stats', 'cost'],
  ['grep find', 'search'],
  ['question opinion second-opinion', 'ask'],
  ['debate', 'run'],
  ['resume', 'ask --resume'],
];

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

/**
 * The arguments with a command by its name here; `help all` is the long list. Several words in quotes are a
 * question unless the first is a command. An unknown word loses --help: the error says what to type instead.
 */
export function understandCommand(typed: string[], isCommand: (name: string) => boolean): string[] {
  const [called = '', ...rest] = typed;
  if (called === 'help') return rest[0] === 'all' ? ['--help'] : [called, ...rename(rest).slice(0, 1)];
  const isKnown = (word: string): boolean => isCommand(rename([word])[0]!);
  if (called === '' || called.startsWith('-') || isKnown(called)) return rename(typed);
  const [first = '', second] = called.trim().split(/\s+/);
  const isQuestion = second !== undefined && !isKnown(first);
  return isQuestion ? ['ask', ...typed] : typed.filter((one) => one !== '--help' && one !== '-h');
}

function rename([command = '', ...rest]: string[]): string[] {
  const meant = findRow(SYNONYMS, command)?.split(' ') ?? [command];
  // A word behind it is the name of a council, and no question.
  const isNamed = command === 'resume' && /^[^-]/.test(rest[0] ?? '');
  return [...meant, ...(isNamed ? ['--name'] : []), ...rest];
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
  ['model models', 'A model is named after its program: --agents claude:opus,codex'],
  ['judge chair chairman moderator', 'Who writes the synthesis: --coordinator ID'],
  ['human self', 'Take a seat yourself: council ask --me'],
  ['rounds', 'How often they challenge and answer each other: council run --repeat 2'],
  ['budget max-cost cost', 'The most US$ to use up: --budget-usd 1'],
  [
    'html md markdown adr svg o out',
    'Choose the form, and where it goes: council export last --format html --output page.html',
  ],
  ['pdf', 'A browser prints the page as PDF: council export last --format html --output page.html'],
  ['fix', 'Doctor changes nothing: each of its findings names the command that fixes it.'],
  ['q silent', 'The result alone, without what happens on the way: --quiet'],
  ['verbose debug v', 'All that an agent has printed: council logs AGENT.'],
  ['read-only', 'Agents change no file in a council, and read none of yours unless you say --read project'],
  [
    'persona personas roles role',
    'A persona is named after its program: --agents claude@skeptic,codex@security. See: council agents personas',
  ],
  ['show-prompt prompt', 'What would be asked, and what it may cost: council run --dry-run'],
  ['command cmd exec', 'A program of your own stands after --: council agents add ID -- my-program'],
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
    'pause',
    'A council waits by itself when council run is interrupted (Ctrl-C). A task: council task pause ID',
  ],
  [
    'config configure settings set',
    'Settings are in COUNCIL.md, which council init writes into a folder. What works with them: council doctor',
  ],
  [
    'reopen',
    'An archived council stays as it is. Ask its table further: council ask --after last "QUESTION". Put its question to another table: council rerun last',
  ],
  ['stop end close abort kill', 'End a council before its time with: council cancel --why "REASON"'],
  ['vote', 'A vote is a line of an answer, such as position: P2. Answer with: council respond ID'],
  ['answer reply contribute', 'Answer as somebody at the table with: council respond ID'],
  ['new create convene', 'Ask with: council ask "QUESTION". For a debate to the end: council run "QUESTION"'],
  [
    'delete remove rm',
    'End a council with: council cancel --why "REASON". Take an agent away with: council agents remove ID. An archive is a file in conseils/, to be deleted like any other: council list',
  ],
  ['edit modify', 'Change an agent with: council agents edit ID. Settings and house rules are in COUNCIL.md'],
  [
    'archive answers',
    'What was decided last: council show. All archives: council list, and one of them: council show ID',
  ],
  [
    'clean reset clear',
    'An open council ends with: council cancel --why "REASON". Archives are files in conseils/. What council install wrote: council uninstall',
  ],
  ['verify validate', 'Whether all archives are as they were recorded: council doctor'],
  ['add', 'Add an agent or a person with: council agents add ID'],
  ['members participants seats', 'Who can sit at a table: council agents'],
  [
    'models model',
    'A model is named after its program, as that program calls it: council ask "QUESTION" --agents claude:opus,ollama:llama3.2. Programs that are here: council agents',
  ],
  [
    'persona roles',
    'Parts that a model can play: council agents personas. One is seated as claude@skeptic: council ask "QUESTION" --agents claude@skeptic,codex',
  ],
  [
    'dissent minority',
    'Who disagreed is printed at the end, and is in the archive: council show. Which claims were challenged: council ledger',
  ],
  ['rank', 'The answers of all are ranked by all with: council run "QUESTION" --mode rank'],
  [
    'share publish html page',
    'An archive as a page of one file, which can be sent: council export last --format html --output page.html',
  ],
  ['setup', 'Prepare this folder: council init. What works here: council doctor'],
  [
    'implement build fix do',
    'A council decides and changes no file. Agents do work by: council task run "WHAT TO DO"',
  ],
  ['me', 'Take a seat yourself: council ask --me "QUESTION"'],
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
