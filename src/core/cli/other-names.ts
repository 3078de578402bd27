// Understands alternative names of commands, actions and options, and lists them.
import { CouncilError } from '../base/errors.ts';
import { findNearest } from '../base/unknown-name.ts';
import { toKebabCase } from '../app/input/fields.ts';
import type { Field, Fields, Raw } from '../app/input/fields.ts';
import type { CommandSpec } from './spec.ts';

/**
 * Replaces the command by its real name; `help all` is the long list. Several quoted words are a question
 * unless the first is a command. An unknown word loses --help: the error says what to type instead.
 */
export function resolveCommand(typed: string[], isCommand: (name: string) => boolean): string[] {
  const [called = '', ...rest] = typed;
  if (called === 'help') return rest[0] === 'all' ? ['--help'] : [called, ...renameCommand(rest).slice(0, 1)];
  const isKnown = (word: string): boolean => isCommand(renameCommand([word])[0]!);
  if (called === '' || isKnown(called)) return renameCommand(typed);
  if (called.startsWith('-')) return typed.some(isQuestion) ? ['ask', ...typed] : typed;
  const [first = ''] = called.trim().split(/\s+/);
  return isQuestion(called) && !isKnown(first)
    ? ['ask', ...typed]
    : typed.filter((one) => one !== '--help' && one !== '-h');
}

/** Several words in quotes, one with a question mark, or the name of a text. */
export const isQuestion = (word: string): boolean =>
  !word.startsWith('-') && /\S\s+\S|\S\?$|\S\.(?:md|markdown|txt)$/.test(word);

function renameCommand([command = '', ...rest]: string[]): string[] {
  const [, meant = command, alone = meant] = findRow(SYNONYMS, command) ?? [];
  const isAlone = rest.length === 0 || rest[0]!.startsWith('-');
  const words = (isAlone ? alone : meant).split(' ');
  // council personas show skeptic.
  const isActionTwice =
    words[1]?.startsWith('-') === false && ['show', 'list', 'ls', 'get'].includes(rest[0] ?? '');
  return [...words, ...rest.slice(isActionTwice ? 1 : 0)];
}

/**
 * Replaces options by their real names: those of the table, and a value that only one option can have, such
 * as --html for --format html or --debate for the word debate. Known options, anything after -- and ambiguous ones stay as they are.
 */
export function resolveOptions(typed: readonly string[], fields: Fields, known: readonly string[]): string[] {
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  const flags = known.map((one) => one.split(/[ ,]/)[0]!);
  const resolveOption = (word: string): string[] => {
    const [, given = '', name = '', value = ''] = /^(--?([a-z][a-z-]*))(=.*)?$/s.exec(word) ?? [];
    if (name === '' || flags.includes(given)) return [word];
    const meant = findRow(OPTION_SYNONYMS, name)?.[1].find((one) => flags.includes(one.split(' ')[0]!));
    if (meant !== undefined) {
      const words = meant.split(' ');
      return [...words.slice(0, -1), `${words.at(-1)}${value}`];
    }
    const choosing = Object.entries(fields).filter(([, field]) => canBe(field, name));
    const [only] = choosing.length === 1 && value === '' ? choosing : [];
    if (only?.[1].argument) return [name];
    return only ? [`--${only[1].option ?? toKebabCase(only[0])}`, name] : [word];
  };
  return [...typed.slice(0, end).flatMap(resolveOption), ...typed.slice(end)];
}

const canBe = (field: Field, value: string): boolean =>
  (field.kind === 'choice' ? field.choices : (field.suggestions ?? [])).includes(value);

/** Replaces an action by its real name. Throws `usage` with what to do for one that does not exist. */
export function resolveAction({ name, fields }: Pick<CommandSpec, 'name' | 'fields'>, raw: Raw): Raw {
  const { action } = fields;
  if (action?.kind !== 'choice' || typeof raw.action !== 'string') return raw;
  const answers = ACTION_ANSWERS.filter(([command]) => command === name);
  const hint = findRow(
    answers.map(([, ...row]) => row),
    raw.action,
  )?.[1];
  if (hint !== undefined) throw new CouncilError('usage', `There is no "${name} ${raw.action}".`, { hint });
  const meant = Object.hasOwn(ACTION_SYNONYMS, raw.action) ? ACTION_SYNONYMS[raw.action] : undefined;
  const isMeant = !action.choices.includes(raw.action) && action.choices.some((one) => one === meant);
  return isMeant ? { ...raw, action: meant } : raw;
}

/** Returns advice for a word that is no command; undefined if there is none. */
export const findAnswer = (word: string): string | undefined => findRow(ANSWERS, word)?.[1];

/**
 * Returns advice for an unknown option, such as model; undefined if there is none. `known`: the command's
 * flags.
 */
export function findOptionAnswer(option: string, known: readonly string[]): string | undefined {
  const answer = findRow(OPTIONS, option)?.[1];
  const meant = option.length === 1 ? known.filter((one) => one.startsWith(`--${option}`)) : [];
  return answer ?? (meant.length === 0 ? undefined : `Options are written out: ${meant.join(', ')}`);
}

const findRow = <Row extends readonly [string, ...unknown[]]>(
  table: readonly Row[],
  word: string,
): Row | undefined => table.find(([words]) => words.split(' ').includes(word));

/** Returns commander's error message, without a suggestion that is not close. */
export function readRefusal({ code, message }: { code: string; message: string }, command = ''): string {
  if (code === 'commander.help') return `unknown command '${command}'`;
  const said = message.replace(/^error: /, '');
  const [, given = '', guess] = /'-*([^'=]*).*\n\(Did you mean -*([^?]+)\?\)/.exec(said) ?? [];
  return guess !== undefined && findNearest(given, [guess]) === undefined ? said.replace(/\n[^]*/, '') : said;
}

/** Alternative names of commands, replaced literally. `alone`: used if no word follows. */
const SYNONYMS: [words: string, command: string, alone?: string][] = [
  ['ls', 'list'],
  ['ps jobs queue', 'status'],
  ['last latest result results decision summary report cat print', 'show'],
  ['agent', 'agents'],
  ['personas', 'agents personas'],
  ['mode', 'modes'],
  ['server', 'serve'],
  ['web ui gui browser', 'open'],
  ['usage stats', 'cost'],
  ['grep find', 'search'],
  ['redo restart again', 'rerun'],
  ['question opinion second-opinion', 'ask'],
  ['debate', 'run'],
  ['synthesis synthesize summarize', 'ask --synthesis', 'continue synthesis'],
  ['followup follow-up', 'ask --after last'],
  // A following word is the name of a council, not a question.
  ['resume', 'ask --resume --name', 'ask --resume'],
];

/** Alternative names of actions, such as `delete` in council agents delete. */
const ACTION_SYNONYMS: Readonly<Record<string, string>> = {
  ls: 'list',
  delete: 'remove',
  rm: 'remove',
  new: 'add',
  create: 'add',
  get: 'show',
  change: 'edit',
};

/** Actions that do not exist, with what to do instead. */
const ACTION_ANSWERS: [command: string, actions: string, answer: string][] = [
  [
    'agents',
    'rename mv move',
    'The name that is shown: council agents edit ID --title "NAME". The id is the name of the file, agents/ID.md, and `name:` in it',
  ],
  [
    'agents',
    'disable enable off on',
    'Who sits is named for each council: council ask "QUESTION" --agents claude,codex. For good: council agents remove ID',
  ],
  ['agents', 'test probe ping try', 'Whether each of them answers: council doctor --probe'],
  ['agents', 'trust allow', 'What may run here: council trust'],
];

/** Alternative names of options: replaced by the first of these that the command has. */
const OPTION_SYNONYMS: [options: string, meant: string[]][] = [
  ['q silent no-stream', ['--quiet']],
  ['y', ['--yes']],
  ['j', ['--json']],
  ['f', ['--file', '--follow', '--format']],
  ['i input context attach attachment files', ['--file']],
  ['o out outfile', ['--output']],
  ['n count', ['--limit', '--last']],
  ['a agent seat seats participants members', ['--agents']],
  ['c continue', ['--after last']],
  ['m message reason', ['--why']],
  ['language locale', ['--lang']],
  ['plan preview estimate', ['--dry-run']],
  ['time-limit max-time deadline', ['--timeout']],
];

/** Options of other tools, for any command, with advice. */
const OPTIONS: [options: string, answer: string][] = [
  ['model models m cheap fast', 'A model is named after its program: --agents claude:opus,codex'],
  ['judge chair chairman moderator', 'Who writes the synthesis: --coordinator ID'],
  ['human self', 'Take a seat yourself: council ask --me'],
  ['rounds max-rounds', 'How often they challenge and answer each other: council run --repeat 2'],
  ['budget max-cost cost', 'The most US$ to use up: --budget-usd 1'],
  [
    'html md markdown adr svg o out output save',
    'What was decided goes into a file, in the form of its name, with: council export last --output page.html',
  ],
  ['pdf', 'A browser prints the page as PDF: council export last --output page.html'],
  ['title', 'A name of small letters and hyphens: --name friday-tea'],
  [
    'background detach d',
    'Open it with: council start "QUESTION". What plays it in the background: council heartbeat',
  ],
  ['color no-color colour', 'NO_COLOR=1 before the command turns colours off, FORCE_COLOR=1 on.'],
  ['fix', 'Doctor changes nothing: each of its findings names the command that fixes it.'],
  ['verbose debug v', 'All that an agent has printed: council logs AGENT.'],
  ['read-only', 'Agents change no file in a council, and read none of yours unless you say --read project'],
  [
    'persona personas roles role as',
    'A persona is named after its program: --agents claude@skeptic,codex@security. See: council agents personas',
  ],
  [
    'show-prompt plan estimate dry-run',
    'What would be asked, and what it may cost: council ask --dry-run "QUESTION"',
  ],
  ['list ls', 'Who can sit at a table: council agents. What was asked before: council list'],
  ['p prompt question', 'A question needs no option: council ask "QUESTION"'],
  ['command cmd exec', 'A program of your own stands after --: council agents add ID -- my-program'],
  ['vote', 'Choices to decide between: --option A --option B. All answers put in order: --mode rank'],
  ['a all full long', 'Nothing is left out here. Leave this option out.'],
  [
    'limit n',
    'A list is cut like any other: council list | head -20. Fewer results: council search WORDS --limit 5',
  ],
  [
    'samples times runs copies',
    'Several answers of one program are several seats: --agents claude,claude,claude',
  ],
  [
    'format output-format',
    'One JSON document on stdout: --json. What was decided as a page: council export last --format html --output page.html',
  ],
  [
    'system system-prompt instructions',
    'House rules for everybody stand in COUNCIL.md. A part to play: --agents claude@skeptic',
  ],
  ['last latest newest', 'The newest one is called last: council show last, council export last'],
  [
    'web url browse browser',
    'Pages in the browser: council open last. Council fetches none: curl -s URL | council ask "QUESTION"',
  ],
  ['f follow w watch', 'What happens is followed live with: council watch'],
  ['staged cached', 'What is staged goes along as: git diff --staged | council ask "QUESTION"'],
  ['agent participant', 'What one agent has said: council logs AGENT'],
  [
    'language locale lang',
    'The language stands in COUNCIL.md, as lang: fr. Of one council: council ask --lang fr "QUESTION"',
  ],
];

/** Words that are no command, with advice. */
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
    'Settings are lines of COUNCIL.md, such as lang: fr or timeout: 30m; council init writes it. Whether they work: council doctor',
  ],
  [
    'reopen',
    'An archived council stays as it is. Ask its table further: council ask --after last "QUESTION". Put its question to another table: council rerun last',
  ],
  ['stop end close abort kill', 'End a council before its time with: council cancel'],
  ['vote', 'A vote is a line of an answer, such as position: P2. Answer with: council respond ID'],
  [
    'answer reply contribute chat talk',
    'Ask further with: council ask --after last "QUESTION". Answer as somebody at the table with: council respond ID',
  ],
  ['new create convene', 'Ask with: council ask "QUESTION". For a debate to the end: council run "QUESTION"'],
  [
    'delete remove rm',
    'End a council with: council cancel. Take an agent away with: council agents remove ID. An archive is a file in conseils/, to be deleted like any other: council list',
  ],
  ['edit modify', 'Change an agent with: council agents edit ID. Settings and house rules are in COUNCIL.md'],
  [
    'archive answers',
    'What was decided last: council show. All archives: council list, and one of them: council show ID',
  ],
  [
    'clean reset clear',
    'An open council ends with: council cancel. Archives are files in conseils/. What council install wrote: council uninstall',
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
  [
    'diff compare',
    'One question to another table, both outcomes side by side: council rerun last --agents claude,gemini. Two archives are two files: git diff --no-index conseils/A.md conseils/B.md',
  ],
  ['man manual docs doc tutorial guide', 'All commands: council help all. To watch one debate: council demo'],
  ['rank', 'The answers of all are ranked by all with: council run "QUESTION" --mode rank'],
  [
    'share publish html page copy link save download',
    'An archive as a page of one file, which can be sent: council export last --output page.html',
  ],
  [
    'setup',
    'Prepare this folder: council init. What works here: council doctor. For agents that speak MCP: claude mcp add council -- council mcp',
  ],
  [
    'tell message msg dm',
    'A message to an agent or a person: council send ID "TEXT". Something for the whole table: council continue --note "TEXT"',
  ],
  [
    'implement build fix do',
    'A council decides and changes no file. Agents do work by: council task run "WHAT TO DO"',
  ],
  [
    'lang language locale',
    'The language stands in COUNCIL.md, as lang: fr. Of one council: council ask --lang fr "QUESTION"',
  ],
  ['me', 'Take a seat yourself: council ask --me "QUESTION"'],
  [
    'update upgrade',
    'In the clone that it was installed from: git pull && npm install -g "git+file://$PWD". The version here: council version',
  ],
  [
    'undo revert rollback',
    'Every revision of an open council is kept. List them with: council history --name NAME. Go back to one with: council restore',
  ],
  ['login auth', 'Each agent program has its own login. Which of them work: council doctor --probe'],
];
