import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { renderAgent } from '../agents/render-agent.ts';
import type { Detected } from '../agents/runners/detect.ts';
import { CouncilError, systemCode } from '../base/errors.ts';
import type { Project } from '../store/project.ts';
import type { Cli } from './io.ts';
import type { Workspace } from './wire.ts';
import { loadAgents } from './wire.ts';

/** What looking for agent programs led to. */
export interface Seating {
  /** The agent files that were written. */
  written: { id: string; runner: string; version: string; path: string }[];
  /** Programs that are there and cannot be seated, with the reason. */
  refused: { program: string; path: string; reason: string }[];
}

/**
 * Writes `agents/<preset>.md` for every agent program on PATH that answers, except where an agent of the project has that
 * id or runs that program already. Files, because a later tick must find the same participants. Overwrites nothing.
 */
export async function seatDetected(cli: Cli, workspace: Workspace): Promise<Seating> {
  const { detectPrograms } = await import('../agents/runners/detect.ts');
  const { project } = workspace;
  const signal = cli.interruption();
  const found = await detectPrograms({ cwd: project.root, env: cli.env, signal });
  if (signal.aborted)
    throw new CouncilError('interrupted', 'Interrupted while looking for agent programs.', {
      hint: 'Nobody was seated. Run the same command again; council init --no-detect looks for none.',
    });
  const registry = await loadAgents(cli, workspace);
  const own = registry.list().filter(({ source }) => source === 'project');
  const seating: Seating = { written: [], refused: [] };
  for (const { program, path, version, model, problem } of found) {
    if (own.some(({ id, runner }) => id === program.preset || runner === program.preset)) continue;
    if (problem !== null) seating.refused.push({ program: program.binary, path, reason: problem });
    else {
      const file = write(project, agentOf(program, model));
      const { preset } = program;
      if (file) seating.written.push({ id: preset, runner: preset, version: version ?? '', path: file });
    }
  }
  return seating;
}

/** What was written, and what was not, in lines for people. */
export function seatingLines({ written, refused }: Seating): string[] {
  return [
    ...written.map(({ id, version, path }) => `Found ${id} ${version}: wrote ${path}`),
    ...refused.map(({ program, path, reason }) => `Found ${program} (${path}), not seated: ${reason}`),
  ];
}

const agentOf = ({ preset, title, emoji }: Detected['program'], model: string | null) => ({
  id: preset,
  title,
  emoji,
  description: `${title}, as it is installed on this machine.`,
  model,
  runner: preset,
});

/** The path of the new file; undefined when there is one of that name (perhaps one that is no agent). */
function write(project: Project, agent: Partial<Agent> & { id: string }): string | undefined {
  const path = join(project.agents, `${agent.id}.md`);
  mkdirSync(project.agents, { recursive: true });
  try {
    writeFileSync(path, renderAgent(agent), { flag: 'wx' });
    return path;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return undefined;
  }
}
