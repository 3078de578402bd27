// Doctor: trial launches of agents in the environment of the installed schedule.
import type { Agent } from '../../agents/agent.ts';
import { listAgentVariables } from '../../agents/variables.ts';
import type { App } from '../app.ts';
import { readVariables } from '../schedule/schedule-variables.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';
import { probe } from './programs.ts';
import type { ScheduleFacts } from './schedule.ts';
import { scheduledEnvironments } from './scheduled-environment.ts';
import type { Scheduled } from './scheduled-environment.ts';

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
