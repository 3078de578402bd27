import { existsSync } from 'node:fs';
import { CouncilError } from '../../base/errors.ts';
import { crontabBlock } from '../../heartbeat/schedule.ts';
import type { Job } from '../../heartbeat/schedule.ts';
import type { Cli } from '../io.ts';
import { jobOf, readCrontab, unitFiles } from '../scheduled.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';

export interface ScheduleFacts {
  job: Job;
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
export async function scheduleFacts(cli: Cli, root: string): Promise<ScheduleFacts> {
  const job = jobOf(cli, root, '');
  const units = unitFiles(cli, job).filter(({ path }) => existsSync(path));
  const facts: ScheduleFacts = {
    job,
    block: undefined,
    unread: null,
    unitFiles: units.map(({ path }) => path),
    timer: undefined,
  };
  try {
    facts.block = crontabBlock(await readCrontab(true), root);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    facts.unread = error.message;
  }
  const timer = units.find(({ name }) => name.endsWith('.timer'));
  if (timer) {
    const { execa } = await import('execa');
    const result = await execa('systemctl', ['--user', 'is-active', timer.name], {
      reject: false,
      timeout: 5000,
      env: cli.env,
    });
    if (result.code !== 'ENOENT') facts.timer = result.stdout.trim() || 'unknown';
  }
  return facts;
}

/** Does anything call tick? `active`: how many councils would wait for it. */
export function scheduleFindings(facts: ScheduleFacts, active: number): Finding[] {
  const { ok, warning } = about('schedule');
  const { job, block, unread, timer } = facts;
  const findings: Finding[] = [];
  if (unread !== null) findings.push(warning(unread, 'crontab -l'));
  if (block !== undefined) {
    const gone = [job.node, job.entry].filter((path) => !block.includes(path));
    findings.push(
      gone.length === 0
        ? ok(`cron calls tick: ${block.split(' ').slice(0, 5).join(' ')}`)
        : warning(
            `The crontab calls another Node or council than this one (${gone.join(', ')}).`,
            'council install',
          ),
    );
  }
  if (facts.unitFiles.length > 0)
    findings.push(
      timer === 'active'
        ? ok(`a systemd timer calls tick: ${facts.unitFiles.at(-1)}`)
        : warning(
            `The systemd timer ${facts.unitFiles.at(-1)} is ${timer ?? 'there, but systemctl is not'}.`,
            'council install --systemd',
          ),
    );
  if (findings.some(({ level, message }) => level === 'ok' || message.startsWith('The '))) return findings;
  return [
    ...findings,
    active > 0
      ? warning(
          `${active} council(s) are active, and no schedule calls tick here: without one, phases close only while "council run" or "council heartbeat" is at work.`,
          'council install, or council heartbeat in the foreground',
        )
      : ok(
          'nothing is installed; "council run" needs none, councils opened with "council start" do: council install',
        ),
  ];
}
