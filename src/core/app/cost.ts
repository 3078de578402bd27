// Use case `cost`: what launches used up over all councils.
import { costReport } from '../archive/cost.ts';
import type { CostReport, CouncilUsage } from '../archive/cost.ts';
import { archiveMetas } from '../archive/read.ts';
import { activeStates } from './council-reference.ts';
import type { App, Result } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { CostInput } from './input/archive.ts';
import { openWorkspace } from './workspace.ts';

export type { CostReport };
export type { Spent } from '../council/state/budget.ts';

/** What launches have used up, over active councils and archives. */
export async function cost(app: App, { council: ref, by, since }: CostInput): Promise<Result<CostReport>> {
  const workspace = openWorkspace(app);
  const { metas, problems } = await archiveMetas(workspace.ports.archives);
  const { states, unreadable } = await activeStates(workspace);
  for (const { message } of problems) app.note(message);
  for (const { name, error } of unreadable) app.note(`council "${name}": ${error.message}`);
  const archived = new Set(metas.map(({ conversationId }) => conversationId));
  // A copied archive is the same council: what it cost was paid once.
  const copies = new Set(
    [...Map.groupBy(metas, ({ conversationId }) => conversationId).values()].flatMap((same) =>
      same.slice(1).map(({ id }) => id),
    ),
  );
  const all: CouncilUsage[] = [
    ...metas.map(({ id, usage }) => ({ council: id, usage })),
    // One that is being archived is in both places for a moment.
    ...states
      .filter(({ conversationId }) => !archived.has(conversationId))
      .map(({ name, usage = [] }) => ({ council: name, usage })),
  ];
  const only = ref === undefined ? undefined : await resolveReportCouncil(app, ref);
  const councils = all.filter(({ council }) =>
    only === undefined ? !copies.has(council) : council === only,
  );
  return {
    document: costReport(councils, by, since ?? null),
    failed: unreadable.length > 0 ? 'failed' : undefined,
  };
}

/** What a report calls the council that is meant: its name while it is active, then the stem of its archive. */
async function resolveReportCouncil(app: App, council: string): Promise<string> {
  const found = await findDeliberation(app, { council, name: undefined });
  return 'council' in found ? found.council.state.name : found.archive.meta.id;
}
