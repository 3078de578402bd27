// The page of an archive, the same for file, `show` and Markdown export: the decision comes first.
import { computeDigest } from './computed-synthesis.ts';
import { escapeComments } from '../base/text.ts';
import { toSafeLine, renderTable } from '../council/document/markers.ts';
import { renderOutcomeSection } from './outcome-record.ts';
import type { Contribution, Ranking } from '../council/state/state.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { isDecided, renderParticipantName, listRounds } from './archive.ts';
import type { Archive, ArchiveMeta, Synthesis, Proceedings } from './archive.ts';
import { listClaimLines, renderSaidLine } from './contribution-notes.ts';
import { renderControlSection, renderChangesList, renderDecisionSection } from './decision-section.ts';
import { renderCostSection, renderFailuresSection } from './cost.ts';
import { renderMovesSection, renderUnansweredList } from './ledger-section.ts';
import { renderMeasuresTable } from './metrics-table.ts';
import { hasVotes } from './positions.ts';
import {
  renderAbsencesList,
  renderBlockingList,
  renderDissentList,
  renderEndingList,
  renderKeptList,
  renderMoversList,
  renderPositionsTable,
} from './sections.ts';
import { namePhase } from '../base/words/reasons.ts';

/** How people's texts appear on a page: verbatim between markers, or for reading only. */
export interface TextsOnPage {
  brief(text: string): string;
  digest(text: string): string;
  /** Lists the label of each participant in an anonymous council, if the texts keep the labels. */
  letters(archive: Archive, w: Words): string;
  /** `levels` is the level of the surrounding headings. */
  contribution(contribution: Contribution, levels: number): string;
}

/** Returns the page in parts, one per heading and text; open Markdown in one does not affect the next. */
export function pageParts(archive: Archive, write: TextsOnPage): string[] {
  const w = loadWords(archive.meta.lang);
  return [
    `# ${fill(w.archive.title, { topic: toSafeLine(archive.meta.topic) })}`,
    `## ${w.archive.decision}`,
    ...renderDecisionSection(archive, w),
    ...renderOutcomeSection(archive.outcomes ?? [], w),
    ...renderDissent(archive, w),
    `## ${w.archive.synthesis}`,
    ...renderSynthesisSection(archive, w, write),
    ...renderPositionsPart(archive, w, write),
    `## ${w.archive.brief}`,
    write.brief(archive.brief),
    ...renderNotes(archive.meta, w),
    ...renderPhases(archive, w, write),
    ...renderControlSection(archive.meta, w),
    ...renderEndingSection(archive, w),
  ];
}

function renderNotes({ notes = [] }: ArchiveMeta, w: Words): string[] {
  if (notes.length === 0) return [];
  return [
    `### ${w.archive.notes}`,
    notes.map(({ by, at, text }) => `- ${toSafeLine(text)} (${toSafeLine(by)}, ${at})`).join('\n'),
  ];
}

/** Dissenters, blocking issues and unanswered challenges. */
function renderDissent(archive: Archive, w: Words): string[] {
  const blocking = renderBlockingList(archive, w);
  const silent = renderUnansweredList(archive, w);
  const apart = renderDissentList(archive, w) || (hasVotes(archive) ? w.archive.noDissent : '');
  return [
    ...(apart + blocking === '' ? [] : [`## ${w.archive.dissent}`]),
    ...(apart === '' ? [] : [apart]),
    ...(blocking === '' ? [] : [`### ${w.archive.blockingIssues}`, blocking]),
    ...(silent === '' ? [] : [`## ${w.archive.unansweredChallenges}`, silent]),
  ];
}

function renderSynthesisSection(archive: Archive, w: Words, write: TextsOnPage): string[] {
  const { meta, synthesis: written, contributions } = archive;
  const said = contributions.findLast((c) => c.phase === 'SYNTHESIZE' && c.by === written.by);
  if (!said) return [write.digest(written.text)];
  const digest = written.silent ? [computeDigest(archive)] : [];
  return [...digest, ...renderSynthesisFacts(meta, written, w), write.contribution(said, 2)];
}

/** Describes who wrote the synthesis, and any contradiction to the decision. */
export function renderSynthesisFacts(
  meta: ArchiveMeta,
  { by, lender, model, contradicts, silent }: Synthesis,
  w: Words,
): string[] {
  const participant = renderParticipantName(meta, by ?? '');
  const from = renderParticipantName(meta, lender ?? '');
  return [
    lender === null
      ? fill(w.archive.synthesisBy, { participant })
      : fill(w.archive.synthesisBorrowed, {
          participant,
          source: [from, ...(model === null ? [] : [toSafeLine(model)])].join(', '),
        }),
    ...(isDecided(meta) ? [] : [w.archive.synthesisUndecided]),
    ...(contradicts
      ? [`**${isDecided(meta) ? w.archive.synthesisContradicts : w.archive.synthesisDecides}**`]
      : []),
    ...(silent ? [`**${w.archive.synthesisSilent}**`] : []),
  ];
}

/** Renders the participants, their positions over time, and the effect of the debate. */
function renderPositionsPart(archive: Archive, w: Words, write: TextsOnPage): string[] {
  const { meta } = archive;
  const moved = renderMovesSection(archive, w) || renderMoversList(archive, w);
  const absent = renderAbsencesList(archive, w);
  const letters = write.letters(archive, w);
  // Blind answers alone are not a debate.
  const isDebated = archive.contributions.some(({ phase }) => phase === 'CHALLENGE' || phase === 'RESOLVE');
  const isCompared = isDebated && hasVotes(archive) && !meta.rules.ranks;
  return [
    `## ${w.archive.whoSat}`,
    renderPositionsTable(archive, w),
    ...(letters === '' ? [] : [letters]),
    ...renderBallotTable(archive, w),
    ...(meta.coordinator === null || !hasVotes(archive)
      ? []
      : [fill(w.archive.coordinatedBy, { participant: renderParticipantName(meta, meta.coordinator) })]),
    ...(isCompared ? [`### ${w.archive.whoMoved}`, moved] : []),
    ...(meta.decision && isCompared
      ? [`### ${w.archive.whatDebateChanged}`, renderChangesList(archive, meta.decision, w)]
      : []),
    ...(absent === '' ? [] : [`### ${w.archive.absences}`, absent, ...renderFailuresSection(archive, w)]),
  ];
}

function renderPhases(archive: Archive, w: Words, write: TextsOnPage): string[] {
  return listRounds(archive).flatMap(([tour, phase]) => {
    // The synthesis is shown above, once.
    if (phase === 'SYNTHESIZE') return [];
    const said = archive.contributions.filter((c) => c.tour === tour);
    return [
      `## ${fill(w.archive.transcriptPhase, { phase: namePhase(phase, archive.meta.rules), tour })}`,
      ...(said.length === 0 ? [w.archive.noContributions] : []),
      ...said.flatMap((c) => [
        `### ${renderParticipantName(archive.meta, c.by)}`,
        renderSaidLine(archive, c, w),
        write.contribution(c, 3),
        ...listClaimLines(archive, c, w),
      ]),
    ];
  });
}

/** Renders how the council ended and what it cost, for a closer look. */
function renderEndingSection(archive: Archive, w: Words): string[] {
  const { meta } = archive;
  const kept = renderKeptList(archive, w);
  return [
    ...(kept === '' ? [] : [`## ${w.archive.notAccepted}`, w.archive.notAcceptedNote, kept]),
    `## ${w.archive.howItEnded}`,
    renderEndingList(archive, w),
    `### ${w.archive.measures}`,
    renderMeasuresTable(meta.metrics, w, meta.rules),
    `### ${w.archive.costLaunches}`,
    ...renderCostSection({ meta }, w),
    fill(w.common.labelled, { label: w.state.conversationId, value: escapeComments(meta.conversationId) }),
  ];
}

/** Renders the ballot as a table, followed by joined numbers; empty without a ballot. */
function renderBallotTable(facts: Proceedings, w: Words): string[] {
  const { ballot } = facts.meta.metrics;
  if (!ballot || ballot.length === 0) return [];
  if (facts.meta.decision?.ranking) return renderRankingTables(facts, facts.meta.decision.ranking, w);
  const names = (ids: string[]): string => ids.map((id) => renderParticipantName(facts.meta, id)).join(', ');
  const words = w.archive;
  const rows = ballot.map((line) => [
    line.id,
    toSafeLine(line.position),
    names(line.by),
    names(line.approvedBy.filter((id) => !line.by.includes(id))),
  ]);
  const joined = ballot.filter(({ sameAs }) => sameAs.length > 0);
  const classes = new Set(joined.map(({ id, sameAs }) => [id, ...sameAs].sort().join(' = ')));
  return [
    renderTable([words.number, w.state.position, words.votedFor, words.alsoApproved], rows),
    ...(classes.size === 0 ? [] : [fill(words.countAsOne, { numbers: [...classes].join('; ') })]),
  ];
}

/** Renders the ranking by mean place, best first, then each pair with its comparison. */
function renderRankingTables({ meta }: Proceedings, { scores, pairs }: Ranking, w: Words): string[] {
  const words = w.archive;
  const lines = new Map(meta.ballot?.map((line) => [line.id, line]));
  const isOfAnswers = meta.rules.ranks === 'answers';
  const ranked = scores
    .toSorted((a, b) => (b.mean ?? -1) - (a.mean ?? -1))
    .map(({ id, mean }) => {
      const { position = '', author } = lines.get(id) ?? {};
      const by = isOfAnswers && author !== undefined ? [renderParticipantName(meta, author)] : [];
      return [id, toSafeLine(position), ...by, mean === null ? w.common.none : mean.toFixed(2)];
    });
  const compared = pairs.map((pair) => [
    `${pair.a} – ${pair.b}`,
    ...[pair.for, pair.against, pair.tied, pair.absent].map(String),
    pair.winner ?? w.common.none,
  ]);
  const isByOne =
    pairs.length > 0 && pairs.every((pair) => pair.for + pair.against + pair.tied + pair.absent <= 1);
  return [
    renderTable(
      [words.number, w.state.position, ...(isOfAnswers ? [words.answerOf] : []), words.meanPlace],
      ranked,
    ),
    ...(pairs.length > 0
      ? [
          renderTable(
            [words.pair, words.forFirst, words.forSecond, words.tiedPair, words.absentPair, words.ahead],
            compared,
          ),
        ]
      : []),
    ...(isByOne ? [words.pairsByOne] : []),
  ];
}
