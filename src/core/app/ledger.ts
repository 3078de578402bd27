// Use cases `ledger` and `cost`, of active councils and archives, as documents and as tables.
import { findArchiveLetters } from '../archive/positions.ts';
import { replaceLetters } from '../council/naming/reveal-names.ts';
import { buildArchiveLedger, renderLedgerTable, selectLedgerWords } from '../archive/ledger-section.ts';
import { buildLedgerDocument } from '../council/ledger/ledger-document.ts';
import type { LedgerDocument, LedgerNames } from '../council/ledger/ledger-document.ts';
import { mapClaimIds, getLabels } from '../council/naming/labels.ts';
import { getMask } from '../council/naming/mask.ts';
import type { Council } from '../council/state/state.ts';
import { loadWords } from '../base/words/words.ts';
import type { App, Result } from './app.ts';
import { findDeliberation } from './find-deliberation.ts';
import type { EitherInput, CostInput } from './input/archive.ts';
import { buildCostReport } from '../archive/cost.ts';
import type { CostReport, CouncilUsage } from '../archive/cost.ts';
import { archiveMetas } from '../archive/read.ts';
import { readActiveStates } from './council-reference.ts';
import { openWorkspace } from './workspace.ts';

/** A document, and a Markdown table for people in the language of the deliberation; empty if there is nothing to show. */
export type ResultWithTable<Document> = Result<Document> & { table: () => string };

/** Claims, challenges and changes of position of a council or an archive. */
export async function readLedger(app: App, input: EitherInput): Promise<ResultWithTable<LedgerDocument>> {
  const found = await findDeliberation(app, input);
  const [document, lang] =
    'council' in found
      ? [buildVisibleLedger(found.council), found.council.state.lang]
      : [buildArchiveLedger(found.archive), found.archive.meta.lang];
  const find = 'council' in found ? () => [] : findArchiveLetters(found.archive);
  const renderMarkdownTable = () =>
    renderLedgerTable(document, selectLedgerWords(loadWords(lang))).join('\n');
  return { document, table: () => replaceLetters(renderMarkdownTable(), find) };
}

/** Built from what participants see: an anonymous council has labels instead of names until it is archived. */
function buildVisibleLedger(council: Council): LedgerDocument {
  const { state, contributions } = council;
  const names = state.anonymous ? buildAnonymousNames(council) : undefined;
  return buildLedgerDocument({ ledger: state.ledger, contributions }, names);
}

function buildAnonymousNames(council: Council): LedgerNames {
  const labels = getLabels(council.state);
  const claims = mapClaimIds(council.state);
  const mask = getMask(council);
  return {
    participant: (id) => labels.get(id) ?? id,
    claim: (id) => claims.get(id) ?? id,
    text: (text) => mask(text).text,
  };
}

export type { CostReport };
export type { Spent } from '../council/state/budget.ts';

/** Sums up the cost of launches over active councils and archives. */
export async function reportCost(
  app: App,
  { council: ref, by, since }: CostInput,
): Promise<Result<CostReport>> {
  const workspace = openWorkspace(app);
  const { metas, problems } = await archiveMetas(workspace.ports.archives);
  const { states, unreadable } = await readActiveStates(workspace);
  for (const { message } of problems) app.note(message);
  for (const { name, error } of unreadable) app.note(`council "${name}": ${error.message}`);
  const archived = new Set(metas.map(({ conversationId }) => conversationId));
  // A copied archive is the same council: count its cost once.
  const copies = new Set(
    [...Map.groupBy(metas, ({ conversationId }) => conversationId).values()].flatMap((same) =>
      same.slice(1).map(({ id }) => id),
    ),
  );
  const all: CouncilUsage[] = [
    ...metas.map(({ id, usage }) => ({ council: id, usage })),
    // A council that is being archived is briefly in both places.
    ...states
      .filter(({ conversationId }) => !archived.has(conversationId))
      .map(({ name, usage = [] }) => ({ council: name, usage })),
  ];
  const only = ref === undefined ? undefined : await resolveReportCouncil(app, ref);
  const councils = all.filter(({ council }) =>
    only === undefined ? !copies.has(council) : council === only,
  );
  return {
    document: buildCostReport(councils, by, since ?? null),
    failed: unreadable.length > 0 ? 'failed' : undefined,
  };
}

/** Returns the council's name in reports: its own while active, then the stem of its archive. */
async function resolveReportCouncil(app: App, council: string): Promise<string> {
  const found = await findDeliberation(app, { council, name: undefined });
  return 'council' in found ? found.council.state.name : found.archive.meta.id;
}
