// Agent programs on PATH: seated with an agent file each, and asked about when they came after the project had its agents.
import { parseAgent } from '../agents/agent.ts';
import type { Agent } from '../agents/agent.ts';
import { renderAgent } from '../agents/render-agent.ts';
import type { DetectedProgram } from '../agents/runners/detect-programs.ts';
import { CouncilError } from '../base/errors.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words, Language } from '../base/words/words.ts';
import type { App } from './app.ts';
import { trustSeated } from './trust.ts';
import { loadAgents } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addAgentFile } from '../store/local/project.ts';
import type { PresetName } from '../agents/runner-kind.ts';
import { readHealthStamp } from '../store/agent-health.ts';
import { renderJsonDocument, readJsonDocument } from '../store/documents.ts';

/** What looking for agent programs led to. */
export interface Seating {
  /** The agent files that were written. */
  written: { id: string; runner: string; version: string; path: string }[];
  refused: { program: string; path: string; reason: string }[];
}

/**
 * Writes `agents/<preset>.md` for every agent program on PATH that answers, except where an agent of the project has that
 * id or runs that program already. Files, because a later tick must find the same participants. Overwrites nothing.
 */
export async function seatDetected(app: App, workspace: Workspace): Promise<Seating> {
  const { project } = workspace;
  const signal = app.interruption();
  const found = await findPrograms(app, workspace);
  if (signal.aborted)
    throw new CouncilError('interrupted', 'Interrupted while looking for agent programs.', {
      hint: 'No agent was added. Run the same command again; council init --no-detect looks for none.',
    });
  const registry = await loadAgents(app, workspace);
  const own = registry.listOwn().filter(({ source, seat }) => source === 'project' && seat === undefined);
  const seating: Seating = { written: [], refused: [] };
  const seated: Agent[] = [];
  for (const one of found) {
    const { program, path, version, problem } = one;
    if (own.some(({ id, runner }) => id === program.preset || runner === program.preset)) continue;
    if (problem !== null) seating.refused.push({ program: program.binary, path, reason: problem });
    else {
      const agent = toDetectedAgent(one);
      // One of that name may be there, and perhaps no agent.
      const file = addAgent(workspace, agent.id, renderAgent(agent));
      const { preset } = program;
      if (!file) continue;
      seated.push(parseAgent(renderAgent(agent), file, 'project'));
      seating.written.push({ id: preset, runner: preset, version: version ?? '', path: file });
    }
  }
  if (!workspace.planned) trustSeated(app, project.root, seated);
  return seating;
}

/** The agent programs on PATH, of all that are known or of `only`; a dry run starts none. */
export async function findPrograms(
  app: App,
  { project, planned }: Workspace,
  only?: readonly string[],
): Promise<DetectedProgram[]> {
  const { detectPrograms, findProgramsOnPath } = await import('../agents/runners/detect-programs.ts');
  const where = { cwd: project.root, notIn: project.root, env: app.env, only };
  return planned?.isDryRun
    ? findProgramsOnPath(where)
    : detectPrograms({ ...where, signal: app.interruption() });
}

/** What was written, and what was not, in lines for people. */
export function renderSeatingLines({ written, refused }: Seating, { opening }: Words): string[] {
  return [
    ...written.map((one) => fill(opening.found, { ...one })),
    ...refused.map((one) => fill(opening.foundUnseated, { ...one })),
  ];
}

/** The agent of a program as it was found. */
export const toDetectedAgent = ({ program: { preset, title, emoji }, model }: DetectedProgram) => ({
  id: preset,
  title,
  emoji,
  description: `${title}, as it is installed on this machine.`,
  model,
  runner: preset,
});

/** Like `addAgentFile`; `isTrusted` as in `Planned`. */
export function addAgent(
  { project, planned }: Workspace,
  id: string,
  text: string,
  { isTrusted }: { isTrusted: boolean } = { isTrusted: true },
): string | undefined {
  if (!planned) return addAgentFile(project, id, text);
  const path = join(project.agents, `${id}.md`);
  if (existsSync(path) || planned.agents.some((one) => one.path === path)) return undefined;
  planned.agents.push({ id, path, text, isTrusted });
  return path;
}

/** Beside the health of the agents: it is of this machine as well. */
const KEY = 'declined';

/**
 * Asks about each program on PATH that no agent of the project runs, and returns those that are to be seated. Without a terminal
 * they are only named. A program that was declined once is not asked about again.
 */
export async function askToSeatPrograms(
  app: App,
  workspace: Workspace,
  { own, isAsked, lang }: { own: readonly Agent[]; isAsked: boolean; lang: Language },
): Promise<PresetName[]> {
  const found = await findUnseatedPrograms(app, workspace, own);
  if (found.length === 0) return [];
  const store = workspace.keeping.documents('health', { readStamp: readHealthStamp });
  const declined = readDeclined((await store.read(KEY))?.text);
  const fresh = found.filter((preset) => !declined.includes(preset));
  if (fresh.length === 0) return [];
  if (!app.ask || !isAsked || workspace.planned?.isDryRun) {
    tellUnseated(app, fresh, lang);
    return [];
  }
  const wanted: PresetName[] = [];
  for (const preset of fresh)
    if (!/^\s*no?n?\s*$/i.test(await app.ask(fill(loadWords(lang).opening.seatFound, { program: preset }))))
      wanted.push(preset);
  const refused = fresh.filter((preset) => !wanted.includes(preset));
  if (refused.length > 0)
    await store.update(KEY, (current, revision) =>
      renderJsonDocument({ declined: [...readDeclined(current?.text), ...refused] }, revision),
    );
  return wanted;
}

/** The programs on PATH that none of these agents runs. */
async function findUnseatedPrograms(
  app: Pick<App, 'env'>,
  { project: { root } }: Pick<Workspace, 'project'>,
  own: readonly Agent[],
): Promise<PresetName[]> {
  const { findProgramsOnPath } = await import('../agents/runners/detect-programs.ts');
  return findProgramsOnPath({ cwd: root, notIn: root, env: app.env }).flatMap(
    ({ program: { preset }, problem }) =>
      problem !== null || own.some(({ id, runner }) => id === preset || runner === preset) ? [] : [preset],
  );
}

const tellUnseated = ({ note }: Pick<App, 'note'>, programs: readonly string[], lang: Language): void =>
  note(fill(loadWords(lang).before.found, { programs: programs.join(', ') }));

/** Where a project has no agent yet, says which programs could be one. */
export async function tellPossibleSeats(
  app: App,
  workspace: Workspace,
  own: readonly Agent[],
  lang: Language,
): Promise<void> {
  if (app.caller !== undefined || own.length > 0) return;
  const found = await findUnseatedPrograms(app, workspace, own);
  if (found.length > 0) tellUnseated(app, found, lang);
}

function readDeclined(text: string | undefined): string[] {
  const { declined } = readJsonDocument(text);
  return Array.isArray(declined) ? declined.filter((one) => typeof one === 'string') : [];
}
