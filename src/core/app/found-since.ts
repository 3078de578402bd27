// Agent programs that came to this machine after the project had its agents.
import type { Agent } from '../agents/agent.ts';
import type { PresetName } from '../agents/runner-kind.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import { readHealthStamp } from '../store/agent-health.ts';
import { jsonDocument, readJsonDocument } from '../store/json-document.ts';
import type { App } from './app.ts';
import type { Workspace } from './workspace.ts';

/** Beside the health of the agents: it is of this machine as well. */
const KEY = 'declined';

/**
 * Asks about each program on PATH that no agent of the project runs, and returns those that are to be seated. Without a terminal
 * they are only named. A program that was declined once is not asked about again.
 */
export async function findWantedSince(
  app: App,
  workspace: Workspace,
  { own, isAsked, lang }: { own: readonly Agent[]; isAsked: boolean; lang: Language },
): Promise<PresetName[]> {
  const { programsOnPath } = await import('../agents/runners/detect-programs.ts');
  const { root } = workspace.project;
  const where = { cwd: root, notIn: root, env: app.env, signal: app.interruption() };
  const found = programsOnPath(where).flatMap(({ program: { preset }, problem }) =>
    problem !== null || own.some(({ id, runner }) => id === preset || runner === preset) ? [] : [preset],
  );
  if (found.length === 0) return [];
  const store = workspace.keeping.documents('health', { readStamp: readHealthStamp });
  const declined = readDeclined((await store.read(KEY))?.text);
  const fresh = found.filter((preset) => !declined.includes(preset));
  if (fresh.length === 0) return [];
  if (!app.ask || !isAsked || workspace.planned?.isDryRun) {
    app.note(fill(loadWords(lang).before.found, { programs: fresh.join(', ') }));
    return [];
  }
  const wanted: PresetName[] = [];
  for (const preset of fresh)
    if (!/^\s*no?\s*$/i.test(await app.ask(`Found ${preset} on PATH. Seat ${preset}? [Y/n] `)))
      wanted.push(preset);
  const refused = fresh.filter((preset) => !wanted.includes(preset));
  if (refused.length > 0)
    await store.update(KEY, (current, revision) =>
      jsonDocument({ declined: [...readDeclined(current?.text), ...refused] }, revision),
    );
  return wanted;
}

function readDeclined(text: string | undefined): string[] {
  const { declined } = readJsonDocument(text);
  return Array.isArray(declined) ? declined.filter((one) => typeof one === 'string') : [];
}
