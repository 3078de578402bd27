// Text of crontab blocks and systemd units that call tick, with their words quoted.
import { CouncilError } from '../base/errors.ts';
import { escapeControlChar, oneLine } from '../base/text.ts';

/** One project's heartbeat as cron and systemd are told about it. */
export interface Job {
  root: string;
  /** Absolute path of the Node binary and of council's entry file. */
  node: string;
  entry: string;
  /** Variables that tick needs and that cron does not provide. */
  env: Record<string, string>;
  /** A private file (not readable by others) with more of them; null for none. */
  envFile: string | null;
  every: string;
}

/** The lines that mark this project's block in a crontab. */
const marks = (root: string): { begin: string; end: string } => ({
  begin: `# council begin ${root}`,
  end: `# council end ${root}`,
});

/** A crontab with this job's block in place of an earlier one; everything else stays as it was. Throws `usage` for a line break. */
export function withJob(crontab: string, job: Job): string {
  refuseLineBreaks("The project folder's path", job.root);
  refuseLineBreaks('The path of Node', job.node);
  refuseLineBreaks('The path of council', job.entry);
  refuseLineBreaks('The path of the variables', job.envFile ?? '');
  for (const [key, value] of Object.entries(job.env)) refuseLineBreaks(`The variable ${key}`, value);
  const { begin, end } = marks(job.root);
  const root = cronWord(job.root);
  // No `cd` before it: where the folder has gone, tick says so once, and the shell would say so each time.
  const command = `${renderEnvFilePrefix(job)}${environment(job)}${cronWord(job.node)} ${cronWord(job.entry)} tick --root ${root} >/dev/null`;
  // Any white space parts the fields, a line break only the lines.
  const every = job.every.trim().split(/\s+/).join(' ');
  const rest = withoutJob(crontab, job.root);
  return `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${begin}\n${every} ${command}\n${end}\n`;
}

/** The line of this project's block that calls tick; undefined when there is no block. */
export function crontabBlock(crontab: string, root: string): string | undefined {
  const lines = crontab.split('\n');
  const from = lines.indexOf(marks(root).begin);
  return from === -1 ? undefined : lines[from + 1];
}

/** Whether a line of a crontab calls this program or file. */
export const calls = (line: string, path: string): boolean => line.includes(cronWord(path));

/** What a line of a crontab runs, up to and with Node; undefined when it calls another Node or council than `job`. */
export function readScheduledCommand(line: string, { node, entry }: Job): string | undefined {
  const command = line.split(' ').slice(5).join(' ');
  const at = command.lastIndexOf(`${cronWord(node)} ${cronWord(entry)} tick `);
  // cron makes a percent sign of an escaped one, and so does sh.
  return at === -1 ? undefined : command.slice(0, at) + cronWord(node);
}

/** The variables that a unit written by `units` sets, and the file it reads more of them from. */
export function unitEnvironment(unit: string): {
  variables: Record<string, string>;
  file: string | undefined;
} {
  const lines = unit.split('\n');
  const after = (key: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  const pairs = after('Environment').map((value) => fromUnitValue(value));
  const variables = Object.fromEntries(
    pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  );
  return { variables, file: after('EnvironmentFile').at(-1)?.replaceAll('%%', '%') };
}

/** A crontab without the block of that project. Throws `failed` for a block that was cut. */
export function withoutJob(crontab: string, root: string): string {
  const { begin, end } = marks(root);
  const lines = crontab.split('\n');
  const from = lines.indexOf(begin);
  if (from === -1) return crontab;
  const to = lines.indexOf(end, from);
  if (to === -1) {
    throw new CouncilError('failed', `The crontab has the line "${begin}" but not "${end}".`, {
      hint: 'Correct it with: crontab -e',
    });
  }
  return [...lines.slice(0, from), ...lines.slice(to + 1)].join('\n');
}

/** The names and contents of the systemd user units of this project. */
export function units(job: Job, id: string): { name: string; content: string }[] {
  const environmentLines = Object.entries(job.env).map(
    ([key, value]) => `Environment=${unitValue(`${key}=${value}`)}`,
  );
  const service = [
    '[Unit]',
    `Description=council tick in ${unitText(job.root)}`,
    '',
    '[Service]',
    'Type=oneshot',
    ...environmentLines,
    ...(job.envFile === null ? [] : [`EnvironmentFile=${unitPath(job.envFile)}`]),
    // No WorkingDirectory: it knows no quotes, and --root says all of it.
    `ExecStart=${[unitProgram(job.node), ...[job.entry, 'tick', '--root', job.root].map(unitArgument)].join(' ')}`,
    '',
  ];
  const timer = [
    '[Unit]',
    `Description=heartbeat of council in ${unitText(job.root)}`,
    '',
    '[Timer]',
    'OnCalendar=*:0/5',
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ];
  return [
    { name: `council-${id}.service`, content: service.join('\n') },
    { name: `council-${id}.timer`, content: timer.join('\n') },
  ];
}

/** Exports every variable of the file. A file that is gone ends the command with a word to cron's mail. */
const renderEnvFilePrefix = ({ envFile }: Job): string =>
  envFile === null ? '' : `set -a && . ${cronWord(envFile)} && set +a && `;

function environment({ env }: Job): string {
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${cronWord(value)}`);
  return pairs.length === 0 ? '' : `${pairs.join(' ')} `;
}

/** Throws `usage` for text that a crontab cannot hold: it has a line for each job and no way to write a line break. */
function refuseLineBreaks(what: string, text: string): void {
  if (!/[\n\r]/.test(text)) return;
  throw new CouncilError('usage', `${what} has a line break, which a crontab cannot hold: ${oneLine(text)}`, {
    hint: 'Rename it, or use one of these, which can: council install --systemd, council heartbeat.',
  });
}

/**
 * A word of a crontab's command, for its sh. cron itself reads `\%` as % and, in some versions, two
 * backslashes as one. So % stands outside the quotes, where sh gives the same result with or
 * without the backslash, and two backslashes never stand together.
 */
function cronWord(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/['%]|\\(?=\\)/g, (char) => (char === '\\' ? "\\''" : `'\\${char}'`))}'`;
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/g;

/** A value in quotes for a systemd unit: `Environment=` takes it so. % begins a specifier everywhere in a unit. */
const unitValue = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replace(CONTROLS, escapeControlChar)}"`;

/** What `unitValue` was given. */
const fromUnitValue = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replaceAll('%%', '%')
    .replace(/\\(x[0-9a-f]{2}|.)/g, (_, char: string) => UNESCAPED[char] ?? decodePercentCode(char));

const UNESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const decodePercentCode = (char: string): string =>
  char.length === 3 ? String.fromCharCode(Number.parseInt(char.slice(1), 16)) : char;

/** An argument in `ExecStart=`, where a variable can stand as well. */
const unitArgument = (word: string): string => unitValue(word).replaceAll('$', '$$$$');

/** The program in `ExecStart=`. Throws `usage` for a path that systemd takes in no spelling. */
function unitProgram(path: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f"'\\]/.test(path)) return unitValue(path);
  throw new CouncilError('usage', `systemd starts no program with such a path: ${JSON.stringify(path)}.`, {
    hint: 'Install Node in a folder without quotes, backslashes and control characters, or use: council install',
  });
}

/** A path in `EnvironmentFile=`, which knows no quotes, but patterns. Throws `usage` for a path that it takes in no spelling. */
function unitPath(path: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f"'\\*?[]/.test(path) && path === path.trim()) return path.replaceAll('%', '%%');
  throw new CouncilError('usage', `systemd reads no variables from such a path: ${JSON.stringify(path)}.`, {
    hint: 'Set XDG_CONFIG_HOME to a folder without quotes, backslashes, patterns and control characters.',
  });
}

/** A path in a line of a unit that is for people. In quotes: a backslash at the end of a line would take in the next one. */
const unitText = (path: string): string => `"${oneLine(path, 500).replaceAll('%', '%%')}"`;
