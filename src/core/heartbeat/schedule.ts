// Generates crontab blocks and systemd units that call tick, with proper quoting.
import { CouncilError } from '../base/errors.ts';
import { escapeControlChar, toOneLine } from '../base/text.ts';

/** One project's heartbeat, as configured in cron and systemd. */
export interface Job {
  root: string;
  /** Absolute paths of the Node binary and of council's entry file. */
  node: string;
  entry: string;
  /** Variables that tick needs and cron does not provide. */
  env: Record<string, string>;
  /** A private file (not readable by others) with more variables; null for none. */
  envFile: string | null;
  every: string;
}

/** The lines that mark this project's block in a crontab. */
const formatBlockMarks = (root: string): { begin: string; end: string } => ({
  begin: `# council begin ${root}`,
  end: `# council end ${root}`,
});

/** Returns the crontab with this job's block added or replaced. Throws `usage` for a line break. */
export function addJob(crontab: string, job: Job): string {
  refuseLineBreaks("The project folder's path", job.root);
  refuseLineBreaks('The path of Node', job.node);
  refuseLineBreaks('The path of council', job.entry);
  refuseLineBreaks('The path of the variables', job.envFile ?? '');
  for (const [key, value] of Object.entries(job.env)) refuseLineBreaks(`The variable ${key}`, value);
  const { begin, end } = formatBlockMarks(job.root);
  const root = quoteCronWord(job.root);
  // No `cd` before it: if the folder is gone, tick reports it once, whereas the shell would each time.
  const command = `${renderEnvFilePrefix(job)}${renderEnvironment(job)}${quoteCronWord(job.node)} ${quoteCronWord(job.entry)} tick --root ${root} >/dev/null`;
  // Fields may be separated by any white space, but a line break separates lines.
  const every = job.every.trim().split(/\s+/).join(' ');
  const rest = removeJob(crontab, job.root);
  return `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${begin}\n${every} ${command}\n${end}\n`;
}

/** Returns the line of this project's block that calls tick; undefined if there is no block. */
export function findCrontabLine(crontab: string, root: string): string | undefined {
  const lines = crontab.split('\n');
  const from = lines.indexOf(formatBlockMarks(root).begin);
  return from === -1 ? undefined : lines[from + 1];
}

export const callsProgram = (line: string, path: string): boolean => line.includes(quoteCronWord(path));

/** Returns a crontab line up to and including Node; undefined if it calls another Node or council than `job`. */
export function readScheduledCommand(line: string, { node, entry }: Job): string | undefined {
  const command = line.split(' ').slice(5).join(' ');
  const at = command.lastIndexOf(`${quoteCronWord(node)} ${quoteCronWord(entry)} tick `);
  // Both cron and sh turn an escaped percent sign into a plain one.
  return at === -1 ? undefined : command.slice(0, at) + quoteCronWord(node);
}

/** Returns the variables set by a unit from `units`, and the file from which it reads more. */
export function readUnitEnvironment(unit: string): {
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

/** Returns a crontab without the project's block. Throws `failed` for an incomplete block. */
export function removeJob(crontab: string, root: string): string {
  const { begin, end } = formatBlockMarks(root);
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

/** Returns the names and contents of this project's systemd user units. */
export function buildUnits(job: Job, id: string): { name: string; content: string }[] {
  const environmentLines = Object.entries(job.env).map(
    ([key, value]) => `Environment=${quoteUnitValue(`${key}=${value}`)}`,
  );
  const service = [
    '[Unit]',
    `Description=council tick in ${formatUnitText(job.root)}`,
    '',
    '[Service]',
    'Type=oneshot',
    ...environmentLines,
    ...(job.envFile === null ? [] : [`EnvironmentFile=${escapeUnitPath(job.envFile)}`]),
    // No WorkingDirectory, which cannot be quoted; --root suffices.
    `ExecStart=${[quoteUnitProgram(job.node), ...[job.entry, 'tick', '--root', job.root].map(quoteUnitArgument)].join(' ')}`,
    '',
  ];
  const timer = [
    '[Unit]',
    `Description=heartbeat of council in ${formatUnitText(job.root)}`,
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

/** Exports every variable of the file. If the file is missing, the command fails with a message in cron's mail. */
const renderEnvFilePrefix = ({ envFile }: Job): string =>
  envFile === null ? '' : `set -a && . ${quoteCronWord(envFile)} && set +a && `;

function renderEnvironment({ env }: Job): string {
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${quoteCronWord(value)}`);
  return pairs.length === 0 ? '' : `${pairs.join(' ')} `;
}

/** Throws `usage` for text that a crontab cannot contain: it has no escape for line breaks. */
function refuseLineBreaks(what: string, text: string): void {
  if (!/[\n\r]/.test(text)) return;
  throw new CouncilError(
    'usage',
    `${what} has a line break, which a crontab cannot hold: ${toOneLine(text)}`,
    {
      hint: 'Rename it, or use one of these, which can: council install --systemd, council heartbeat.',
    },
  );
}

/**
 * Quotes a word of a crontab's command for its sh. cron itself reads `\%` as % and, in some versions, two
 * backslashes as one. So % is placed outside the quotes, where sh gives the same result with or without the
 * backslash, and two backslashes are never adjacent.
 */
function quoteCronWord(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/['%]|\\(?=\\)/g, (char) => (char === '\\' ? "\\''" : `'\\${char}'`))}'`;
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/g;

/** Quotes a value for `Environment=` in a systemd unit. % starts a specifier everywhere in a unit. */
const quoteUnitValue = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replace(CONTROLS, escapeControlChar)}"`;

/** Reverses `quoteUnitValue`. */
const fromUnitValue = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replaceAll('%%', '%')
    .replace(/\\(x[0-9a-f]{2}|.)/g, (_, char: string) => UNESCAPED[char] ?? decodePercentCode(char));

const UNESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const decodePercentCode = (char: string): string =>
  char.length === 3 ? String.fromCharCode(Number.parseInt(char.slice(1), 16)) : char;

/** Quotes an argument in `ExecStart=`, where variables are expanded as well. */
const quoteUnitArgument = (word: string): string => quoteUnitValue(word).replaceAll('$', '$$$$');

/** Quotes the program in `ExecStart=`. Throws `usage` for a path that systemd does not accept in any form. */
function quoteUnitProgram(path: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f"'\\]/.test(path)) return quoteUnitValue(path);
  throw new CouncilError('usage', `systemd starts no program with such a path: ${JSON.stringify(path)}.`, {
    hint: 'Install Node in a folder without quotes, backslashes and control characters, or use: council install',
  });
}

/** Escapes a path in `EnvironmentFile=`, which allows no quotes, but patterns. Throws `usage` if impossible. */
function escapeUnitPath(path: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f"'\\*?[]/.test(path) && path === path.trim()) return path.replaceAll('%', '%%');
  throw new CouncilError('usage', `systemd reads no variables from such a path: ${JSON.stringify(path)}.`, {
    hint: 'Set XDG_CONFIG_HOME to a folder without quotes, backslashes, patterns and control characters.',
  });
}

/** Formats a path in a descriptive line of a unit. A bare backslash at the end would continue the line. */
const formatUnitText = (path: string): string => `"${toOneLine(path, 500).replaceAll('%', '%%')}"`;
