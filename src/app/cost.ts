// Use case `cost`: what launches used up over all councils.
import { costReport } from '../archive/cost.ts';
import type { CostReport, CouncilUsage } from '../archive/cost.ts';
import { archiveMetas } from '../archive/read.ts';
import { activeStates } from './active.ts';
import type { App, Result } from './app.ts';
import type { CostInput } from './input/archive.ts';
import { openWorkspace } from './workspace.ts';

export type { CostReport };
export type { Spent } from '../council/state/usage.ts';

/** What launches have used up, over active councils and archives. */
export async function cost(app: App, { by, since }: CostInput): Promise<Result<CostReport>> {
  const workspace = openWorkspace(app);
  const { metas, problems } = await archiveMetas(workspace.ports.archives);
  const { states, unreadable } = await activeStates(workspace);
  for (const { message } of problems) app.note(message);
  for (const { name, error } of unreadable) app.note(`council "${name}": ${error.message}`);
  const archived = new Set(metas.map(({ conversationId }) => conversationId));
  const councils: CouncilUsage[] = [
    ...metas.map(({ id, usage }) => ({ council: id, usage })),
    // One that is being archived is in both places for a moment.
    ...states
      .filter(({ conversationId }) => !archived.has(conversationId))
      .map(({ name, usage = [] }) => ({ council: name, usage })),
  ];
  return {
    document: costReport(councils, by, since ?? null),
    failed: unreadable.length > 0 ? 'failed' : undefined,
  };
}
