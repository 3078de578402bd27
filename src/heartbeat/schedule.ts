import { CouncilError } from '../base/errors.ts';

/** One project's heartbeat as cron and systemd are told about it. */
export interface Job {
  root: string;
  /** Absolute path of the Node binary and of council's entry file. */
  node: string;
  entry: string;
  /** Variables that tick needs and that cron does not provide. */
  env: Record<string, string>;
  every: string;
}

/** The lines that mark this project's block in a crontab. */
export const marks = (root: string): { begin: string; end: string } => ({
  begin: `# council begin ${root}`,
  end: `# council end ${root}`,
});

/** A crontab with this job's block in place of an earlier one; everything else stays as it was. */
export function withJob(crontab: string, job: Job): string {
  const { begin, end } = marks(job.root);
  const command = `cd ${quote(job.root)} && ${environment(job)}${quote(job.node)} ${quote(job.entry)} tick --root ${quote(job.root)} >/dev/null`;
  // In a crontab an unescaped % ends the command.
  const block = `${begin}\n${job.every} ${command.replaceAll('%', '\\%')}\n${end}\n`;
  const rest = withoutJob(crontab, job.root);
  return `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${block}`;
}

/** The line of this project's block that calls tick; undefined when there is no block. */
export function crontabBlock(crontab: string, root: string): string | undefined {
  const lines = crontab.split('\n');
  const from = lines.indexOf(marks(root).begin);
  return from === -1 ? undefined : lines[from + 1];
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
      hint: 'Mend it with: crontab -e',
    });
  }
  return [...lines.slice(0, from), ...lines.slice(to + 1)].join('\n');
}

/** The names and contents of the systemd user units of this project. */
export function units(job: Job, id: string): { name: string; content: string }[] {
  const environmentLines = Object.entries(job.env).map(
    ([key, value]) => `Environment=${unitQuote(`${key}=${value}`)}`,
  );
  const service = [
    '[Unit]',
    `Description=council tick in ${job.root.replaceAll('%', '%%')}`,
    '',
    '[Service]',
    'Type=oneshot',
    `WorkingDirectory=${job.root.replaceAll('%', '%%')}`,
    ...environmentLines,
    `ExecStart=${[job.node, job.entry, 'tick', '--root', job.root].map(unitQuote).join(' ')}`,
    '',
  ];
  const timer = [
    '[Unit]',
    `Description=heartbeat of council in ${job.root.replaceAll('%', '%%')}`,
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

function environment({ env }: Job): string {
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${quote(value)}`);
  return pairs.length === 0 ? '' : `${pairs.join(' ')} `;
}

/** A word for sh. */
const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A word for a systemd unit: % and $ have a meaning there, and quotes and backslashes are escaped. */
const unitQuote = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
