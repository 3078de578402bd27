// Command `logs`: what an agent's launches printed.
import type { LogsInput } from '../../core/app/input/archive.ts';
import { logs } from '../log/logs.ts';
import type { LoggedLaunch } from '../log/logs.ts';
import { formatMs } from '../../core/app/progress.ts';
import { oneLine } from '../../core/base/text.ts';
import { formatDueTime } from '../../core/base/local-time.ts';
import type { Cli } from '../../core/cli/io.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const logsCommand: Command<LogsInput> = async (cli, input) => {
  const result = await logs(cli, input);
  const { launches, kept, participant, name } = result.document;
  const earlier = kept - launches.length;
  const lines = launches.map((launch) => renderLaunchLog(launch, cli));
  if (earlier > 0)
    lines.push(`${earlier} earlier launches in "${name}": council logs ${participant} --last ${kept}`);
  return toTextOutcome(result, lines.join('\n\n'));
};

function renderLaunchLog(launch: LoggedLaunch, { paint }: Cli): string {
  const { participant, agent, phase, tour, attempt, at, ms, ok, reason } = launch;
  const who = agent === participant ? participant : `${participant} (with the runner of ${agent})`;
  const head = `${who}, ${phase} (round ${tour}), attempt ${attempt}: ${ok ? 'answered' : 'failed'} ${formatDueTime(at, Date.now())}, after ${formatMs(ms)}; ${describeLaunchEnd(launch)}`;
  return [
    paint('bold', head),
    ...(reason === null ? [] : [oneLine(reason, 1000)]),
    ...output('stdout', launch.stdout),
    ...output('stderr', launch.stderr),
  ].join('\n');
}

function describeLaunchEnd({ exitCode, signal, timedOut }: LoggedLaunch): string {
  if (timedOut) return 'stopped by council at its time limit';
  if (signal !== null) return `ended by ${signal}`;
  return exitCode === null ? 'no program ran' : `exit code ${exitCode}`;
}

const output = (name: string, text: string): string[] =>
  text.trim() === '' ? [`--- ${name}: nothing`] : [`--- ${name}`, text.replace(/\n$/, '')];
