// What everybody at the table may see of an active council: closed rounds, with labels in an anonymous council.
import { computeMetrics } from '../../core/council/vote/metrics.ts';
import type { Archive, ArchiveMeta } from '../../core/archive/archive.ts';
import { toComputedSynthesis } from '../../core/archive/archive.ts';
import type { LedgerNames } from '../../core/council/ledger/ledger-document.ts';
import { buildLedgerDocument } from '../../core/council/ledger/ledger-document.ts';
import { showAsWritten } from '../../core/council/ledger/quotable-texts.ts';
import { mapClaimIds, mapClaimPrefixes, getLabels } from '../../core/council/naming/labels.ts';
import { getMask } from '../../core/council/naming/mask.ts';
import { isBlindNow, getSeat } from '../../core/council/state/state.ts';
import type {
  Contribution,
  Council,
  CouncilState,
  Decision,
  Ledger,
} from '../../core/council/state/state.ts';
import { sumUsage } from '../../core/council/state/budget.ts';
import type { ChoosePart } from './parts.ts';
import type { SeenCouncil } from './seen-council.ts';
import { chooseEverything, selectQuoting } from './seen-council.ts';

/**
 * Returns a council as seen by all participants but the coordinator: of an open round only seats and deadline,
 * unless it was started open. In an anonymous council, labels replace the participants, and nothing shows who ran
 * for whom.
 */
export function buildSeenSoFar(council: Council, choose: ChoosePart = chooseEverything): SeenCouncil {
  const { state, brief } = council;
  const isOpen = state.currentPhase === 'COLLECT' && !state.blind;
  const contributions = isBlindNow(state)
    ? []
    : council.contributions.filter(({ tour }) => isOpen || tour < state.tour);
  const named = state.anonymous ? createPageNames(council) : AS_THEY_ARE;
  const meta = buildMetaSoFar(state, named);
  const archive: Archive = {
    meta,
    brief,
    synthesis: toComputedSynthesis(''),
    contributions: contributions.map((said) => asShown(said, named)),
    absences: state.absences.map(({ stderr: _stderr, ...absence }) => ({
      ...absence,
      participant: named.participant(absence.participant),
      reason: named.text(absence.reason) as typeof absence.reason,
    })),
    late: [],
  };
  // Uses the displayed names: an address with any other name must not match.
  const part = choose(archive.contributions, meta.ledger);
  return {
    archive,
    ledger: buildLedgerDocument({ ledger: state.ledger, contributions }, named),
    // Labels and names differ in length, so offsets would not match.
    quotable: state.anonymous
      ? null
      : {
          ...{ claims: state.ledger.claims, contributions, order: state.order, shown: showAsWritten },
          challenges: selectQuoting(state.ledger, part),
        },
    part,
    underway: {
      ...{ phase: state.currentPhase, tour: state.tour, until: state.timeoutAt },
      ...{ hides: !isOpen, hasLetters: state.anonymous },
    },
    altered: [],
  };
}

interface ShownNames extends LedgerNames {
  /** Ids, titles and emoji of the participants, in an order that reveals nothing. */
  seats: (state: CouncilState) => ArchiveMeta['participants'];
}

const AS_THEY_ARE: ShownNames = {
  participant: (id) => id,
  claim: (id) => id,
  text: (text) => text,
  seats: (state) =>
    state.order.map((id) => {
      const { title, emoji } = getSeat(state, id);
      return { id, title, emoji };
    }),
};

function createPageNames(council: Council): ShownNames {
  const { state } = council;
  const [labels, handles, claims, mask] = [
    getLabels(state),
    mapClaimPrefixes(state),
    mapClaimIds(state),
    getMask(council),
  ];
  return {
    participant: (id) => handles.get(id) ?? id,
    claim: (id) => claims.get(id) ?? id,
    text: (text) => mask(text).text,
    seats: () =>
      [...handles].map(([id, handle]) => ({ id: handle, title: labels.get(id) ?? handle, emoji: '' })),
  };
}

function asShown(said: Contribution, names: ShownNames): Contribution {
  const { salt: _salt, commitment: _commitment, parts, ...facts } = said;
  const text = names.text(said.text);
  return {
    ...facts,
    by: names.participant(said.by),
    text,
    // Their bytes are those of the original text.
    ...(parts && text === said.text && { parts }),
    ...(said.position !== undefined && { position: names.text(said.position) }),
    ...(said.blocking && { blocking: said.blocking.map(names.text) }),
  };
}

function buildMetaSoFar(state: CouncilState, names: ShownNames): ArchiveMeta {
  const { coordinator, synthesizer, rules } = state;
  const usage = state.anonymous ? [] : (state.usage ?? []).filter(({ tour }) => tour < state.tour);
  return {
    ...{
      schema: state.schema,
      name: state.name,
      topic: state.topic,
      mode: state.mode,
      status: state.status,
      lang: state.lang,
    },
    id: state.name,
    path: '',
    // Older councils derived their labels from it.
    conversationId: state.anonymous ? '' : state.conversationId,
    participants: names.seats(state),
    coordinator,
    coordinatorShown: synthesizer && `${synthesizer.emoji} ${synthesizer.title}`.trim(),
    ...{ tours: state.tour, quorum: state.quorum, blind: state.blind, anonymous: false },
    startedAt: state.createdAt,
    endedAt: state.updatedAt,
    why: null,
    transitions: state.transitions,
    rules: relabelRules(rules, names),
    ...(state.ballot && {
      ballot: state.ballot.map((one) => ({ ...one, position: names.text(one.position) })),
    }),
    ledger: relabelLedger(state.ledger, names),
    decision: state.decision && relabelDecision(state.decision, names),
    // Its seed and the table would reveal who was drawn.
    advocate: state.anonymous ? null : state.advocate,
    held: null,
    synthesis: null,
    metrics: computeMetrics({ state, contributions: [], ledger: null, decision: null }),
    usage,
    spent: usage.length > 0 ? sumUsage(usage) : null,
    budget: null,
  };
}

const relabelRules = (
  rules: CouncilState['rules'],
  { participant, text }: ShownNames,
): CouncilState['rules'] => ({
  ...rules,
  vetoes: rules.vetoes.map(participant),
  recused: rules.recused.map(({ participant: id, why }) => ({
    participant: participant(id),
    why: text(why),
  })),
  families: {},
});

const relabelLedger = (
  { claims, challenges, moves }: Ledger,
  { participant, claim, text }: ShownNames,
): Ledger => ({
  claims: claims.map((one) => ({ ...one, id: claim(one.id), by: participant(one.by) })),
  challenges: challenges.map((one) => ({
    ...one,
    by: participant(one.by),
    target: one.target && claim(one.target),
    against: one.against && participant(one.against),
  })),
  moves: moves.map((one) => ({
    ...one,
    by: participant(one.by),
    from: one.from && text(one.from),
    to: one.to && text(one.to),
    because: one.because && claim(one.because),
  })),
});

const relabelDecision = (decision: Decision, { participant, text }: ShownNames): Decision => ({
  ...decision,
  position: decision.position && text(decision.position),
  votes: Object.fromEntries(
    Object.entries(decision.votes).map(([position, count]) => [text(position), count]),
  ),
  ...(decision.approvals && {
    approvals: Object.fromEntries(
      Object.entries(decision.approvals).map(([position, count]) => [text(position), count]),
    ),
  }),
  blockedBy: decision.blockedBy.map(participant),
  ...(decision.tied && {
    tied: decision.tied.map((one) => ({ ...one, position: text(one.position), by: one.by.map(participant) })),
  }),
  ...(decision.unheard && { unheard: decision.unheard.map(participant) }),
});
