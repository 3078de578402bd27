// Doctor: whether a schedule for tick is installed, and trial launches of agents in its environment.
import { existsSync, lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Agent } from '../../agents/agent.ts';
import { listAgentVariables, getVariablesPath, readVariables } from '../schedule/schedule-variables.ts';
import { CouncilError } from '../../base/errors.ts';
import { quoteShellWord, formatCount } from '../../base/text.ts';
import {
  callsProgram,
  findCrontabLine,
  readScheduledCommand,
  readUnitEnvironment,
} from '../../heartbeat/schedule.ts';
import type { Job } from '../../heartbeat/schedule.ts';
import { findHome } from '../../store/local/system.ts';
import { readTextFile } from '../../store/local/project.ts';
import type { App } from '../app.ts';
import { createScheduledJob, buildUnitFiles, callSystem, readCrontab } from '../schedule/system-calls.ts';
import { createFindingReporter } from './finding.ts';
import type { Finding } from './finding.ts';
import { probeAgents } from './programs.ts';

interface ScheduleFacts {
  job: Job;
  /** The file with the agents' variables, if there is one: its path and mode. */
  variables: { path: string; mode: number } | undefined;
  /** The lines that `install` wrote into the crontab; undefined if there are none. */
  block: string | undefined;
  /** Why the crontab cannot be read, or null. */
  unread: string | null;
  unitFiles: string[];
  /** systemctl's report about the timer; undefined without unit files or without systemctl. */
  timer: string | undefined;
}

/** Looks for what `council install` writes. */
export async function readScheduleFacts(app: App, root: string): Promise<ScheduleFacts> {
  const job = createScheduledJob(app, root, '');
  const units = buildUnitFiles(app, job).filter(({ path }) => existsSync(path));
  const facts: ScheduleFacts = {
    job,
    variables: statVariablesFile(app, root),
    block: undefined,
    unread: null,
    unitFiles: units.map(({ path }) => path),
    timer: undefined,
  };
  try {
    facts.block = findCrontabLine(await readCrontab({ env: app.env, root }, true), root);
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

function statVariablesFile(app: App, root: string): ScheduleFacts['variables'] {
  const path = getVariablesPath(app, root);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && { path, mode: stat.mode & 0o777 };
}

/**
 * Checks whether anything calls tick. `active`: councils that would wait for it; `beating`: running
 * heartbeats.
 */
export function checkSchedule(facts: ScheduleFacts, active: number, beating = 0): Finding[] {
  const { ok, warning } = createFindingReporter('schedule');
  const findings = [...checkCron(facts), ...checkTimer(facts), ...checkVariables(facts)];
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

function checkCron({ job, block, unread }: ScheduleFacts): Finding[] {
  const { ok, warning } = createFindingReporter('schedule');
  if (unread !== null) return [warning(unread, 'crontab -l')];
  if (block === undefined) return [];
  const gone = [job.node, job.entry].filter((path) => !callsProgram(block, path));
  return [
    gone.length === 0
      ? ok(`cron calls tick: ${block.split(' ').slice(0, 5).join(' ')}`)
      : warning(
          `The crontab calls another Node or council than this one (${gone.join(', ')}).`,
          'council install',
        ),
  ];
}

function checkTimer({ unitFiles, timer }: ScheduleFacts): Finding[] {
  const { ok, warning } = createFindingReporter('schedule');
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

function checkVariables({ variables }: ScheduleFacts): Finding[] {
  const { error } = createFindingReporter('schedule');
  if (!variables || (variables.mode & 0o077) === 0) return [];
  return [
    error(
      `Others can read ${variables.path}, where the agents' keys are.`,
      `chmod 600 ${quoteShellWord(variables.path)}`,
    ),
  ];
}

/** Launches every agent as the installed schedule would, and reports those that do not start or log in there. */
export async function probeSchedule(
  app: App,
  facts: ScheduleFacts,
  agents: Agent[],
  where: Parameters<typeof probeAgents>[1],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (agents.length === 0) return findings;
  for (const { by, env } of await readScheduledEnvironments(app, facts)) {
    const { error } = createFindingReporter('schedule');
    if ('problem' in env) {
      findings.push(
        error(`The command of ${by} cannot be tried: ${String(env.problem)}.`, formatInstallCommand(by)),
      );
      continue;
    }
    const said = await probeAgents(agents, { ...where, env });
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

const formatInstallCommand = (by: InstalledSchedule['by']): string =>
  `council install${by === 'systemd' ? ' --systemd' : ''}`;

/** Shows names, never values. */
function suggestScheduleFix(
  app: App,
  by: InstalledSchedule['by'],
  agent: Agent,
  env: Readonly<Record<string, unknown>>,
  { variables }: ScheduleFacts,
): string {
  const differ = listAgentVariables(agent).filter((name) => app.env[name] && app.env[name] !== env[name]);
  const names = [...new Set([...Object.keys(variables ? readVariables(variables.path) : {}), ...differ])];
  if (differ.length > 0) return `${formatInstallCommand(by)} --env ${names.join(',')}`;
  return env.PATH === app.env.PATH ? `council agents check ${agent.id}` : formatInstallCommand(by);
}

// Doctor: determines the variables that an installed schedule passes to its tick.

/** One installed schedule with its tick's variables, or why they are unknown. */
interface InstalledSchedule {
  by: 'cron' | 'systemd';
  env: Readonly<Record<string, string>> | { problem: string };
}

const ASKED_MS = 20_000;
const PRINTED = `-p 'JSON.stringify(process.env)'`;

/**
 * Returns the variables of every installed schedule. They are measured, not computed: the schedule's command
 * runs up to Node, in an environment as bare as cron's, and Node prints its variables.
 */
async function readScheduledEnvironments(app: App, facts: ScheduleFacts): Promise<InstalledSchedule[]> {
  const { job, block, unitFiles } = facts;
  const bare = buildBareEnvironment(app);
  const scheduled: InstalledSchedule[] = [];
  const service = unitFiles.find((path) => path.endsWith('.service'));
  if (block !== undefined) {
    const before = readScheduledCommand(block, job);
    const env =
      before === undefined
        ? { problem: 'its line calls another Node or council' }
        : await printEnvironment(before, bare);
    scheduled.push({ by: 'cron', env });
  }
  if (service !== undefined) {
    const { variables, file } = readUnitEnvironment(readTextFile(service) ?? '');
    const sourced =
      file === undefined ? '' : `set -a && . "$COUNCIL_UNIT_FILE" && set +a && unset COUNCIL_UNIT_FILE && `;
    const given = { ...bare, ...variables, ...(file !== undefined && { COUNCIL_UNIT_FILE: file }) };
    scheduled.push({ by: 'systemd', env: await printEnvironment(`${sourced}"$0"`, given, job.node) });
  }
  return scheduled;
}

function buildBareEnvironment({ env }: Pick<App, 'env'>): Record<string, string> {
  return {
    HOME: findHome(env) ?? '/',
    LOGNAME: env.LOGNAME || userInfo().username,
    PATH: '/usr/bin:/bin',
    SHELL: '/bin/sh',
  };
}

async function printEnvironment(
  before: string,
  env: Record<string, string>,
  node = '',
): Promise<InstalledSchedule['env']> {
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
