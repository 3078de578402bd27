// Composes the archive of a closed council, with its metrics.
import { CouncilError } from '../base/errors.ts';
import { computeMetrics } from '../council/vote/metrics.ts';
import type { Metrics } from '../council/vote/metrics.ts';
import { collectVoteMarks } from '../council/vote/outcome.ts';
import type { ModeReading } from '../council/state/mode-reading.ts';
import { readSynthesisMark } from '../council/vote/synthesis-mark.ts';
import { getSeat } from '../council/state/state.ts';
import type { Council, CouncilState } from '../council/state/state.ts';
import { sumUsage, sumTokens } from '../council/state/budget.ts';
import { archiveId, toComputedSynthesis, findWrittenSynthesis } from './archive.ts';
import type { Archive, ArchiveMeta, LateFact } from './archive.ts';
import { computeDigest } from './computed-synthesis.ts';

/** Composes the archive of a council with a committed closing revision. Repeatable: its end is `closing.at`. */
export function composeArchive(council: Council, late: LateFact[], reading?: ModeReading): Archive {
  const { state, brief, contributions } = council;
  const { closing } = state;
  if (!closing) {
    throw new CouncilError('not_your_turn', `The council "${state.name}" has not ended yet.`, {
      hint: `Close its phases with: council tick, or end it with: council cancel --name ${state.name} --why "…"`,
    });
  }
  const summary = reading?.summarize(council);
  const meta = { ...buildArchiveMeta(council, closing), ...(summary && { result: summary.result }) };
  const inOrder = contributions.toSorted((a, b) => a.tour - b.tour);
  const facts = { meta, brief, contributions: inOrder, absences: state.absences, late };
  return {
    ...facts,
    synthesis:
      findWrittenSynthesis(inOrder, meta.synthesis) ??
      toComputedSynthesis(summary?.text ?? computeDigest(facts)),
  };
}

function buildArchiveMeta(council: Council, closing: NonNullable<CouncilState['closing']>): ArchiveMeta {
  const { state } = council;
  const { coordinator, synthesizer } = state;
  return {
    schema: state.schema,
    id: archiveId(closing.path),
    path: closing.path,
    conversationId: state.conversationId,
    name: state.name,
    topic: state.topic,
    mode: state.mode,
    status: state.status,
    lang: state.lang,
    ...(state.read && { read: state.read }),
    participants: state.order.map((id) => {
      const { title, emoji } = getSeat(state, id);
      return { id, title, emoji };
    }),
    coordinator,
    coordinatorShown: synthesizer && `${synthesizer.emoji} ${synthesizer.title}`.trim(),
    ...(state.outside && { outside: state.outside }),
    ...(state.notes && { notes: state.notes }),
    tours: state.tour,
    quorum: state.quorum,
    blind: state.blind,
    anonymous: state.anonymous,
    ...(state.labelSeed !== undefined && { labelSeed: state.labelSeed }),
    startedAt: state.createdAt,
    endedAt: closing.at,
    why: closing.why,
    transitions: state.transitions,
    rules: state.rules,
    ...(state.ballot && { ballot: state.ballot }),
    ledger: state.ledger,
    decision: state.decision,
    advocate: state.advocate,
    ...(state.control && { control: state.control }),
    held: state.held,
    synthesis: readSynthesisMark(council),
    metrics: computeCouncilMetrics(council),
    usage: state.usage ?? [],
    spent: state.usage ? sumUsage(state.usage) : null,
    budget: state.budget ?? null,
  };
}

export function computeCouncilMetrics({
  state,
  contributions,
}: Pick<Council, 'state' | 'contributions'>): Metrics {
  const { ledger, decision, rules } = state;
  const { options, families } = rules;
  const spent = sumUsage(state.usage ?? []);
  const figures = { tokens: sumTokens(spent), cost: spent.costUsd };
  return computeMetrics({
    synthesis: readSynthesisMark({ state, contributions }),
    state,
    contributions,
    ledger,
    decision,
    options,
    families,
    ...figures,
    ...collectVoteMarks(state),
  });
}
