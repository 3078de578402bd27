// Agent programs that came to this machine after the project had its agents.
import type { Agent } from '../agents/agent.ts';
import type { PresetName } from '../agents/runner-kind.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import { readHealthStamp } from '../store/agent-health.ts';
import { jsonDocument, readJsonDocument } from '../store/documents.ts';
import type { App } from './app.ts';
import type { Workspace } from './workspace.ts';

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
      jsonDocument({ declined: [...readDeclined(current?.text), ...refused] }, revision),
    );
  return wanted;
}

/** The programs on PATH that none of these agents runs. */
async function findUnseatedPrograms(
  app: Pick<App, 'env'>,
  { project: { root } }: Pick<Workspace, 'project'>,
  own: readonly Agent[],
): Promise<PresetName[]> {
  const { programsOnPath } = await import('../agents/runners/detect-programs.ts');
  return programsOnPath({ cwd: root, notIn: root, env: app.env }).flatMap(
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
