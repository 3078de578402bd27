// Doctor: finds out which variables an installed schedule gives to its tick.
import { userInfo } from 'node:os';
import { commandBefore, unitEnvironment } from '../../heartbeat/schedule.ts';
import { readTextFile } from '../../store/local/project.ts';
import type { App } from '../app.ts';
import type { ScheduleFacts } from './schedule.ts';
import { findHome } from '../../store/local/home.ts';

/** One installed schedule, and the variables its tick runs with; a sentence where they cannot be told. */
export interface Scheduled {
  by: 'cron' | 'systemd';
  env: Readonly<Record<string, string>> | { problem: string };
}

const ASKED_MS = 20_000;
const PRINTED = `-p 'JSON.stringify(process.env)'`;

/**
 * The variables of every installed schedule. They are not computed but looked at: the command of the schedule is run as
 * far as Node, in an environment as bare as cron's, and Node prints what it got.
 */
export async function scheduledEnvironments(app: App, facts: ScheduleFacts): Promise<Scheduled[]> {
  const { job, block, unitFiles } = facts;
  const bare = bareEnvironment(app);
  const scheduled: Scheduled[] = [];
  const service = unitFiles.find((path) => path.endsWith('.service'));
  if (block !== undefined) {
    const before = commandBefore(block, job);
    const env =
      before === undefined
        ? { problem: 'its line calls another Node or council' }
        : await print(before, bare);
    scheduled.push({ by: 'cron', env });
  }
  if (service !== undefined) {
    const { variables, file } = unitEnvironment(readTextFile(service) ?? '');
    const sourced =
      file === undefined ? '' : `set -a && . "$COUNCIL_UNIT_FILE" && set +a && unset COUNCIL_UNIT_FILE && `;
    const given = { ...bare, ...variables, ...(file !== undefined && { COUNCIL_UNIT_FILE: file }) };
    scheduled.push({ by: 'systemd', env: await print(`${sourced}"$0"`, given, job.node) });
  }
  return scheduled;
}

/** What cron starts a command with. */
function bareEnvironment({ env }: Pick<App, 'env'>): Record<string, string> {
  return {
    HOME: findHome(env) ?? '/',
    LOGNAME: env.LOGNAME || userInfo().username,
    PATH: '/usr/bin:/bin',
    SHELL: '/bin/sh',
  };
}

async function print(before: string, env: Record<string, string>, node = ''): Promise<Scheduled['env']> {
  const { execa } = await import('execa');
  const { failed, stdout, stderr, shortMessage } = await execa(
    '/bin/sh',
    ['-c', `${before} ${PRINTED}`, node],
    {
      env,
      extendEnv: false,
      cwd: '/',
      timeout: ASKED_MS,
      reject: false,
      stdin: 'ignore',
    },
  );
  if (failed)
    return { problem: `it does not get as far as Node: ${stderr.trim().split('\n').at(-1) || shortMessage}` };
  return JSON.parse(stdout) as Record<string, string>;
}
