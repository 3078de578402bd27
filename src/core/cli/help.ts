// Help texts besides the commands: the first screen, and the groups of the long list (data).
import { isTerminal } from './stdout.ts';

/** The most important commands, with their usage and purpose: at most 25 lines of 80 columns. */
const FIRST: [command: string, typed: string, does: string][] = [
  ['ask', 'ask "QUESTION"', 'what each agent says, where they agree and differ'],
  ['review', 'review', 'findings in a change, and whether it may go in'],
  ['run', 'run "QUESTION"', 'a debate to the end: challenges, votes, an archive'],
  ['respond', 'respond ID', 'answer as a person at the table'],
  ['status', 'status', 'where the open councils stand'],
  ['watch', 'watch', 'follow them live'],
  ['show', 'show', 'the last archive: what was decided, and why'],
  ['list', 'list', 'all archives, with what they decided'],
  ['agents', 'agents', 'who can sit here; agents add ID seats one more'],
  ['doctor', 'doctor', 'what works here, what is missing, how to fix it'],
  ['open', 'open', 'the pages of this project in a browser'],
];

const MORE: [typed: string, does: string][] = [
  ['help all', 'all commands, by what one wants to do'],
  ['COMMAND --help', 'one command, with its options and examples'],
  ['completion install', 'commands and names by the Tab key'],
];

/** Puts a text of the help into a language. */
export type TranslateHelp = (english: string) => string;

/** Renders the output of `council` and `council help`; below 80 columns, a purpose goes on its own line. */
export function renderFirstScreen(
  commands: readonly string[],
  columns: number,
  say: TranslateHelp = String,
): string {
  const known = FIRST.filter(([command]) => commands.includes(command));
  return `${say('Usage: council COMMAND [options]')}

${say('Seats AI agents and people around one question: blind answers, verified\nchallenges, an archived decision.')}

${renderCommandRows(
  known.map(([, typed, does]) => [typed, say(does)]),
  columns,
)}

${say('A question may be a file, or be piped in: git diff | council ask "Is it right?"')}
${say('Without any model: council demo, and council run --panel offline FILE')}

${say('More:')}
${renderCommandRows(
  MORE.map(([typed, does]) => [typed, say(does)]),
  columns,
)}
`;
}

function renderCommandRows(rows: readonly [typed: string, does: string][], columns: number): string {
  const width = Math.max(...rows.map(([typed]) => typed.length));
  return rows
    .map(([typed, does]) =>
      columns < 80 ? `  council ${typed}\n      ${does}` : `  council ${typed.padEnd(width)}  ${does}`,
    )
    .join('\n');
}

const GROUPS: [title: string, commands: string][] = [
  ['Hold a council:', 'ask run review rerun eval demo start'],
  ['Take part:', 'respond view read'],
  ['Follow it, and keep it going:', 'status watch wait tick heartbeat'],
  ['Step in:', 'continue extend excuse retry cancel reveal history restore adopt'],
  ['Look back:', 'list show search outcome archives logs cost export ledger metrics'],
  ['Write to each other:', 'send inbox ack nack sent channel log who watch-channel'],
  ['Have work done:', 'task'],
  ['Share the files:', 'reserve release reservations'],
  ['Allow and check:', 'approvals audit'],
  ['Set up:', 'init doctor agents trust modes install uninstall store'],
  ['For agents and shells:', 'mcp serve open invite token skill protocol completion help'],
];

export const findHelpGroup = (command: string): string =>
  GROUPS.find(([, commands]) => commands.split(' ').includes(command))?.[0] ?? 'Others:';

const AFTERWORD = `
Examples:
  $ council ask "Should we adopt feature flags?"
  $ git diff | council run "Is this right?"
  $ council run --panel offline --brief README.md
  $ council status

council COMMAND --help shows one command with its options and examples.
Every command takes --json (one document on stdout) and --root DIR (the project folder).
Exit codes: 0 done, 1 failed or refused, 2 usage, 3 no verdict, 75 busy, 124 timed out, 130 interrupted.`;

/** Wraps the text after the list of commands, but not the example commands. */
export const foldAfterword = (
  help: { boxWrap(line: string, columns: number): string },
  say: TranslateHelp = String,
): string => {
  const columns = isTerminal() ? process.stdout.columns : 0;
  const fold = (line: string): string =>
    line.startsWith('  $') || !columns ? line : help.boxWrap(line, columns);
  return say(AFTERWORD).split('\n').map(fold).join('\n');
};
