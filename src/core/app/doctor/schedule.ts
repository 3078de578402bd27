// Doctor: is a schedule installed that calls tick?
import { existsSync, lstatSync } from 'node:fs';
import { CouncilError } from '../../base/errors.ts';
import { formatCount } from '../../base/text.ts';
import { calls, crontabBlock } from '../../heartbeat/schedule.ts';
import type { Job } from '../../heartbeat/schedule.ts';
import type { App } from '../app.ts';
import { variablesPath } from '../schedule/schedule-variables.ts';
import { createScheduledJob, unitFiles } from '../schedule/scheduled-job.ts';
import { callSystem, readCrontab } from '../schedule/system-calls.ts';
import { shellWord } from '../../base/shell.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';

export interface ScheduleFacts {
  job: Job;
  /** The file with the agents' variables, when there is one: its path and its mode. */
  variables: { path: string; mode: number } | undefined;
  /** The lines that `install` wrote into the crontab; undefined when there are none. */
  block: string | undefined;
  /** Why the crontab cannot be read, or null. */
  unread: string | null;
  /** The unit files that are there. */
  unitFiles: string[];
  /** What systemctl says of the timer; undefined without unit files or without systemctl. */
  timer: string | undefined;
}

/** Looks for what `council install` writes. */
export async function scheduleFacts(app: App, root: string): Promise<ScheduleFacts> {
  const job = createScheduledJob(app, root, '');
  const units = unitFiles(app, job).filter(({ path }) => existsSync(path));
  const facts: ScheduleFacts = {
    job,
    variables: variablesFile(app, root),
    block: undefined,
    unread: null,
    unitFiles: units.map(({ path }) => path),
    timer: undefined,
  };
  try {
    facts.block = crontabBlock(await readCrontab({ env: app.env, root }, true), root);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    facts.unread = error.message;
  }
  const timer = units.find(({ name }) => name.endsWith('.timer'));
  if (timer) {
    const asked: [string, ...string[]] = ['systemctl', '--user', 'is-active', timer.name];
    const said = await callSystem({ env: app.env, root }, asked, { timeout: 5000 });
    if (said) facts.timer = said.stdout.toString().trim() || 'unknown';
  }
  return facts;
}

function variablesFile(app: App, root: string): ScheduleFacts['variables'] {
  const path = variablesPath(app, root);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && { path, mode: stat.mode & 0o777 };
}

/** Does anything call tick? `active`: how many councils would wait for it; `beating`: how many heartbeats are at work now. */
export function scheduleFindings(facts: ScheduleFacts, active: number, beating = 0): Finding[] {
  const { ok, warning } = about('schedule');
  const findings = [...cronFindings(facts), ...timerFindings(facts), ...variablesFindings(facts)];
  if (facts.block !== undefined || facts.unitFiles.length > 0) return findings;
  if (beating > 0) {
    const now = formatCount(beating, 'heartbeat is', 'heartbeats are');
    return [...findings, ok(`${now} at work now; for the time after that: council install`)];
  }
  return [
    ...findings,
    active > 0
      ? warning(
          `${formatCount(active, 'council is', 'councils are')} active, and no schedule calls tick here: without one, phases close only while "council run" or "council heartbeat" is at work.`,
          'council install, or council heartbeat in the foreground',
        )
      : ok(
          'nothing is installed; "council run" needs none, councils opened with "council start" do: council install',
        ),
  ];
}

function cronFindings({ job, block, unread }: ScheduleFacts): Finding[] {
  const { ok, warning } = about('schedule');
  if (unread !== null) return [warning(unread, 'crontab -l')];
  if (block === undefined) return [];
  const gone = [job.node, job.entry].filter((path) => !calls(block, path));
  return [
    gone.length === 0
      ? ok(`cron calls tick: ${block.split(' ').slice(0, 5).join(' ')}`)
      : warning(
          `The crontab calls another Node or council than this one (${gone.join(', ')}).`,
          'council install',
        ),
  ];
}

function timerFindings({ unitFiles, timer }: ScheduleFacts): Finding[] {
  const { ok, warning } = about('schedule');
  if (unitFiles.length === 0) return [];
  return [
    timer === 'active'
      ? ok(`a systemd timer calls tick: ${unitFiles.at(-1)}`)
      : warning(
          `The systemd timer ${unitFiles.at(-1)} is ${timer ?? 'there, but systemctl is not'}.`,
          'council install --systemd',
        ),
  ];
}

function variablesFindings({ variables }: ScheduleFacts): Finding[] {
  const { error } = about('schedule');
  if (!variables || (variables.mode & 0o077) === 0) return [];
  return [
    error(
      `Others can read ${variables.path}, where the agents' keys are.`,
      `chmod 600 ${shellWord(variables.path)}`,
    ),
  ];
}
