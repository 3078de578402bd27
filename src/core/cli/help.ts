// What the help says beside the commands themselves: the first hour, and the groups of the long list (data).

/** Printed for `council` alone: at most 25 lines of 80 columns. */
export const FIRST_HOUR = `Usage: council COMMAND [options]

council seats AI agents and people around one question: blind answers, verified
challenges, an archived decision.

In the first hour:
  council demo            watch a scripted debate, without any model
  council doctor          what works here, what is missing, and how to mend it
  council run "QUESTION"  ask the agent programs of this machine, to the end
  council status          where the open councils stand
  council show ARCHIVE    read what was decided; council list names the archives

Without any model, its reviewers look at a document:
  council run --panel offline --brief FILE

More:
  council --help                all commands
  council run --help            one command, with its options and examples
  council completion install    commands and names by the Tab key
`;

const GROUPS: [title: string, commands: string][] = [
  ['Hold a council:', 'ask run rerun demo start'],
  ['Take part:', 'respond view read'],
  ['Follow it, and keep it going:', 'status watch wait tick heartbeat'],
  ['Step in:', 'continue extend excuse retry cancel reveal history restore adopt'],
  ['Look back:', 'list show search archives logs cost export ledger metrics'],
  ['Write to each other:', 'send inbox ack nack sent channel log who watch-channel'],
  ['Have work done:', 'task'],
  ['Share the files:', 'reserve release reservations'],
  ['Allow and check:', 'approvals audit'],
  ['Set up:', 'init doctor agents trust modes install uninstall store'],
  ['For agents and shells:', 'mcp serve open invite token skill protocol completion help'],
];

/** Under which title of the help a command stands. */
export const findHelpGroup = (command: string): string =>
  GROUPS.find(([, commands]) => commands.split(' ').includes(command))?.[0] ?? 'Others:';

export const AFTERWORD = `
Examples:
  $ council run "Should we adopt feature flags?"
  $ council run --panel offline --brief README.md
  $ council status

council COMMAND --help shows one command with its options and examples.
Every command takes --json (one document on stdout) and --root DIR (the project folder).
Exit codes: 0 done, 1 failed or refused, 2 usage, 75 busy, 124 timed out, 130 interrupted.`;
