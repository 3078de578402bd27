// Archive sections on positions, dissent, blocking issues, absences and late texts.
import { escapeComments } from '../base/text.ts';
import { createAnonymousLabels } from '../council/naming/labels.ts';
import { describeAbsenceReason, toSafeLine } from '../council/document/state-page.ts';
import { renderList, renderTable } from '../council/document/markers.ts';
import { translateReason, namePhase } from '../base/words/reasons.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { groupAbsences } from './cost.ts';
import type { Archive, LateFact, WithoutSynthesis } from './archive.ts';
import { claimLabels } from './ledger-section.ts';
import { renderParticipantName, listRounds } from './archive.ts';
import { readArchivedVotes, findDissenters, listMoves, computeStandings } from './positions.ts';
import type { Vote } from '../council/vote/votes.ts';
import type { RoundPosition, FinalStanding } from './positions.ts';
import { PHASES } from '../council/state/allowed-values.ts';

/** Renders positions by round, one row per participant; positions that were not restated are marked as carried. */
export function renderPositionsTable(facts: WithoutSynthesis, w: Words): string {
  const all = computeStandings(facts);
  if (all.every(({ held }) => held.every(({ position }) => position === null)))
    return `${w.archive.noPositions}${renderStatusLines(all, facts, w)}`;
  const rounds = listRounds(facts).filter(([, phase]) => phase !== 'SYNTHESIZE');
  const header = [
    w.archive.participant,
    ...rounds.map(([tour, phase]) =>
      fill(w.archive.transcriptPhase, { phase: namePhase(phase, facts.meta.rules), tour }),
    ),
    w.archive.status,
  ];
  const votes = facts.meta.decision ? readArchivedVotes(facts).last : [];
  const voteOf = new Map(votes.map((vote) => [vote.by, vote]));
  const rows = all.map((s) => [
    renderParticipantName(facts.meta, s.participant),
    ...s.held.map((h) => (isUnheard(s.participant, h, facts) ? w.vote.absent : formatHeldPosition(h, w))),
    [...explainCount(voteOf.get(s.participant), w), ...listStandingLabels(s, w)].join(', '),
  ]);
  return renderTable(header, rows);
}

/** Maps the labels of an anonymous council to names, in one line; empty for others. */
export function renderLabelsLine(facts: WithoutSynthesis, w: Words): string {
  const { meta } = facts;
  if (!meta.anonymous) return '';
  const order = meta.participants.map(({ id }) => id);
  const labels = [...createAnonymousLabels({ ...meta, order })].map(([id, label]) =>
    fill(w.archive.label, { label, participant: renderParticipantName(meta, id) }),
  );
  return fill(w.archive.labels, { labels: labels.join(', ') }) + claimLabels(facts, w);
}

/** Lists the moves between positions in Markdown; a sentence if there are none. */
export function renderMoversList(facts: WithoutSynthesis, w: Words): string {
  const moved = listMoves(computeStandings(facts));
  if (moved.length === 0) return w.archive.nobodyMoved;
  return renderList(
    moved.map((m) =>
      fill(w.archive.moved, {
        ...m,
        participant: renderParticipantName(facts.meta, m.participant),
        from: toSafeLine(m.from),
        to: toSafeLine(m.to),
      }),
    ),
  );
}

/** Lists blocking issues that were not withdrawn; empty if there are none. */
export function renderBlockingList(facts: WithoutSynthesis, w: Words): string {
  return renderList(
    computeStandings(facts).flatMap(({ participant, blocking }) =>
      blocking.map((issue) =>
        fill(w.archive.blockingIssue, {
          participant: renderParticipantName(facts.meta, participant),
          issue: toSafeLine(issue),
        }),
      ),
    ),
  );
}

/** Lists the dissenters with their positions; empty if there are none. */
export function renderDissentList(facts: WithoutSynthesis, w: Words): string {
  const all = computeStandings(facts);
  const someAgreed = all.some((s) => s.agreed);
  return renderList(
    findDissenters(all, facts.meta.decision?.position ?? null).map((s) => {
      const attitude = s.agreed ? [w.archive.agreedAnyway] : someAgreed ? [w.archive.notAgreed] : [];
      const blocks = s.blocking.length > 0 ? [w.archive.blocks] : [];
      const recused = isRecused(s.participant, facts) ? [w.vote.recused] : [];
      const position = [
        s.position === null ? w.archive.noPosition : toSafeLine(s.position),
        ...attitude,
        ...blocks,
        ...recused,
      ].join(', ');
      return fill(w.archive.dissentLine, {
        participant: renderParticipantName(facts.meta, s.participant),
        position,
      });
    }),
  );
}

/** Lists absent participants with rounds and reasons; empty if there are none. */
export function renderAbsencesList({ meta, absences }: WithoutSynthesis, w: Words): string {
  const outside =
    meta.outside?.map(({ id, why }) =>
      fill(w.archive.outside, { id, why: toSafeLine(translateReason(why, w)) }),
    ) ?? [];
  return renderList([
    ...outside,
    ...groupAbsences(absences).map(({ participant, rounds, reason }) =>
      fill(w.archive.absence, {
        participant: renderParticipantName(meta, participant),
        rounds: rounds
          .map(({ phase, tour }) =>
            fill(w.archive.transcriptPhase, { phase: namePhase(phase, meta.rules), tour }),
          )
          .join(', '),
        reason: describeAbsenceReason(reason, w),
      }),
    ),
  ]);
}

/** Lists texts that were kept but not accepted, with their paths; empty if there are none. */
export function renderKeptList({ meta, late }: WithoutSynthesis, w: Words): string {
  return renderList(late.map((fact) => renderLateLine(fact, meta, w)));
}

export function describeCouncilEnd(facts: WithoutSynthesis, w: Words): string {
  const { status, decision } = facts.meta;
  if (status !== 'COMPLETED' || !decision?.decided) return w.councilStatus[status];
  const isUnopposed = findDissenters(computeStandings(facts), decision.position).length === 0;
  return isUnopposed ? w.archive.decided : w.archive.decidedWithDissent;
}

/** Lists how each phase closed, and why the council was cancelled, if it was. */
export function renderEndingList(facts: WithoutSynthesis, w: Words): string {
  const { meta } = facts;
  const closed = meta.transitions.map((t) =>
    fill(w.archive.closed, {
      ...{ from: namePhase(t.from, meta.rules), tour: t.tour, at: t.at },
      reason: w.closeReason[t.reason],
    }),
  );
  const why = meta.why === null ? [] : [fill(w.archive.cancelledWhy, { why: toSafeLine(meta.why) })];
  const status = fill(w.common.labelled, { label: meta.status, value: describeCouncilEnd(facts, w) });
  return renderList([status, ...closed, ...why]);
}

/** Whether no position stands there because nothing was said in that round. */
const isUnheard = (id: string, { tour, position }: RoundPosition, { absences }: WithoutSynthesis): boolean =>
  position === null && absences.some((one) => one.participant === id && one.tour === tour);

function formatHeldPosition({ tour, position, statedIn }: RoundPosition, w: Words): string {
  if (position === null || statedIn === null) return w.archive.noPosition;
  return statedIn === tour
    ? toSafeLine(position)
    : fill(w.archive.carried, { position: toSafeLine(position), tour: statedIn });
}

/** Explains how a vote was counted, if not simply as given at the end. */
const explainCount = (vote: Vote | undefined, w: Words): string[] =>
  vote && vote.kind !== 'spoken' ? [w.vote[vote.kind]] : [];

const isRecused = (id: string, { meta }: WithoutSynthesis): boolean =>
  meta.rules.recused.some(({ participant }) => participant === id);

function listStandingLabels(s: FinalStanding, w: Words): string[] {
  return [
    ...(s.agreed ? [w.archive.agreed] : []),
    ...(s.done ? [w.archive.done] : []),
    ...(s.blocking.length > 0 ? [w.archive.blocks] : []),
  ];
}

function renderStatusLines(all: FinalStanding[], { meta }: WithoutSynthesis, w: Words): string {
  const lines = all
    .filter((s) => listStandingLabels(s, w).length > 0)
    .map((s) =>
      fill(w.archive.dissentLine, {
        participant: renderParticipantName(meta, s.participant),
        position: listStandingLabels(s, w).join(', '),
      }),
    );
  return lines.length > 0 ? `\n\n${renderList(lines)}` : '';
}

const LATE_NAME = new RegExp(`^(.+)-(${PHASES.join('|')})-(\\d+)-[0-9a-f]+$`);

function renderLateLine(fact: LateFact, meta: Archive['meta'], w: Words): string {
  const { bytes, sha256 } = fact;
  const path = `\`${escapeComments(fact.path)}\``;
  const [, by, phase = '', tour = ''] = LATE_NAME.exec(fact.name) ?? [];
  if (by === undefined)
    return fill(w.common.labelled, {
      label: toSafeLine(fact.name),
      value: `${fill(w.common.bytes, { count: bytes })}, SHA-256 ${sha256}, ${path}`,
    });
  return fill(w.archive.late, {
    participant: renderParticipantName(meta, by),
    phase,
    tour,
    bytes,
    sha256,
    path,
  });
}
