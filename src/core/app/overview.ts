// Where very many active councils stand, each in a few words, for `status`.
import { CouncilError, errorDocument } from '../base/errors.ts';
import { parse } from '../council/document/document.ts';
import { awaited } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { DuePass, Waiting } from '../store/due-index.ts';
import type { App, Result } from './app.ts';
import { tellAside } from './conflict-answers.ts';
import type { StateDocument } from './state-document.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** A council in a few words. */
export interface Glimpse extends Omit<Waiting, 'conversationId'> {
  name: string;
  /** True if its file was edited by hand. */
  edited?: boolean;
}

/**
 * All active councils where there are more than `few`, sorted by name; else undefined. Of those that only wait a
 * database knows where they stand; the others are read.
 */
export async function overview(app: App, few: number): Promise<Result<{ councils: Glimpse[] }> | undefined> {
  const workspace = openWorkspace(app);
  const { store, ports, keeping } = workspace;
  await keeping.ready();
  const pass = await keeping.due().begin({
    list: () => store.list('', { look: false }),
    now: ports.clock.now(),
    clocks: ports.clock.clocks(),
  });
  if (pass.due.length + pass.resting <= few) return undefined;
  const { looked, unreadable } = await readGlimpses(workspace, pass);
  for (const { name, error } of unreadable)
    app.note(`council "${name}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  await tellAside(app, workspace);
  const known = [...(await pass.listWaiting())].map(([name, one]): Glimpse => ({ ...one, name }));
  const councils = [...looked, ...known].sort((a, b) => (a.name < b.name ? -1 : 1));
  const errors = unreadable.map(({ name, error }) => ({ name, ...errorDocument(error) }));
  return {
    document: { councils, ...(errors.length > 0 && { unreadable: errors }) },
    failed: errors.length > 0 ? 'failed' : undefined,
  };
}

async function readGlimpses(
  { store, edits }: Workspace,
  pass: DuePass,
): Promise<{ looked: Glimpse[]; unreadable: { name: string; error: CouncilError }[] }> {
  const looked: Glimpse[] = [];
  const unreadable: { name: string; error: CouncilError }[] = [];
  for (const name of pass.due)
    try {
      const stored = await store.read(name);
      if (!stored) continue;
      const { state } = parse(stored.text, `council "${name}"`);
      const edited = await edits.isEdited(name);
      looked.push({ ...toGlimpse(state), edited });
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      unreadable.push({ name, error });
    }
  return { looked, unreadable };
}

/** What is told of one that was read. */
export const toGlimpse = (
  state: Omit<CouncilState, 'labelSeed' | 'requests' | 'reveals' | 'begunIn'> | StateDocument,
): Glimpse => ({
  name: state.name,
  topic: state.topic,
  phase: state.currentPhase,
  tour: state.tour,
  awaited: awaited(state),
  dueAt: Date.parse(state.timeoutAt),
  ...('edited' in state && { edited: state.edited }),
});
