// Doctor: trial launches of agents in the environment of the installed schedule.
import { userInfo } from 'node:os';
import type { Agent } from '../../agents/agent.ts';
import { listAgentVariables } from '../../agents/variables.ts';
import type { App } from '../app.ts';
import { readVariables } from '../schedule/schedule-variables.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';
import { probe } from './programs.ts';
import type { ScheduleFacts } from './schedule.ts';
import { commandBefore, unitEnvironment } from '../../heartbeat/schedule.ts';
import { readTextFile } from '../../store/local/project.ts';
import { findHome } from '../../store/local/home.ts';

/** Launches every agent as the installed schedule would, and tells who would not start or log in there. */
export async function probeSchedule(
  app: App,
  facts: ScheduleFacts,
  agents: Agent[],
  where: Parameters<typeof probe>[1],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (agents.length === 0) return findings;
  for (const { by, env } of await scheduledEnvironments(app, facts)) {
    const { error } = about('schedule');
    if ('problem' in env) {
      findings.push(
        error(`The command of ${by} cannot be tried: ${String(env.problem)}.`, formatInstallCommand(by)),
      );
      continue;
    }
    const said = await probe(agents, { ...where, env });
    findings.push(
      ...said.map((finding, at): Finding => ({
        ...finding,
        check: 'schedule',
        message: `as ${by} runs it: ${finding.message}`,
        fix: finding.level === 'ok' ? null : suggestScheduleFix(app, by, agents[at]!, env, facts),
      })),
    );
  }
  return findings;
}

const formatInstallCommand = (by: Scheduled['by']): string =>
  `council install${by === 'systemd' ? ' --systemd' : ''}`;

/** The names are told, never the values. */
function suggestScheduleFix(
  app: App,
  by: Scheduled['by'],
  agent: Agent,
  env: Readonly<Record<string, unknown>>,
  { variables }: ScheduleFacts,
): string {
  const differ = listAgentVariables(agent).filter((name) => app.env[name] && app.env[name] !== env[name]);
  const names = [...new Set([...Object.keys(variables ? readVariables(variables.path) : {}), ...differ])];
  if (differ.length > 0) return `${formatInstallCommand(by)} --env ${names.join(',')}`;
  return env.PATH === app.env.PATH ? `council agents check ${agent.id}` : formatInstallCommand(by);
}

// Doctor: finds out which variables an installed schedule gives to its tick.

/** One installed schedule, and the variables its tick runs with; a sentence where they cannot be told. */
interface Scheduled {
  by: 'cron' | 'systemd';
  env: Readonly<Record<string, string>> | { problem: string };
}

const ASKED_MS = 20_000;
const PRINTED = `-p 'JSON.stringify(process.env)'`;

/**
 * The variables of every installed schedule. They are not computed but looked at: the command of the schedule is run as
 * far as Node, in an environment as bare as cron's, and Node prints what it got.
 */
async function scheduledEnvironments(app: App, facts: ScheduleFacts): Promise<Scheduled[]> {
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
