// Renders the metrics of a council as a Markdown table.
import { toSafeLine, renderTable } from '../council/document/markers.ts';
import type { Metrics } from '../council/vote/metrics.ts';
import { fill, formatFigure } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { namePhase } from '../base/words/reasons.ts';
import { PHASES } from '../council/state/allowed-values.ts';

/** Renders the metrics as a table; unknown figures are shown as unknown, never as 0. */
export function renderMeasuresTable(metrics: Metrics, w: Words, rules: Ranking): string {
  return renderTable([w.archive.measure, w.archive.figure], buildMeasureRows(metrics, w, rules));
}

/** Whether its RESOLVE is called RANK. */
type Ranking = Parameters<typeof namePhase>[1];

function buildMeasureRows(metrics: Metrics, w: Words, rules: Ranking): [string, string][] {
  const { responseRate, durations, flips, quotes, challenges, minority, effectiveVotes, tokens, cost } =
    metrics;
  const words = w.archive;
  const nameIn =
    (label: string) =>
    (phase: string): string =>
      fill(label, { phase: namePhase(phase, rules) });
  const figure = (value: number | null): string =>
    value === null ? words.unknown : formatFigure(value, w.common);
  const positions = (held: string[] | null): string =>
    held === null ? words.unknown : held.map(toSafeLine).join(', ') || w.ledger.none;
  const verified =
    quotes.total === null
      ? words.unknown
      : fill(words.ofTotal, { count: figure(quotes.verified), total: quotes.total });
  const vote = (label: string, counted: Record<string, number> | null): [string, string][] => {
    if (counted === null) return [];
    const votes = Object.entries(counted).map(([position, count]) =>
      fill(words.voteCount, { position: toSafeLine(position), count }),
    );
    return [[label, votes.join(', ') || w.ledger.none]];
  };
  return [
    ...vote(words.blindVote, metrics.blindVote),
    ...vote(words.finalVote, metrics.finalVote),
    ...buildPhaseRows(responseRate, words, nameIn(words.responseRate), (rate) =>
      fill(w.common.percent, { value: Math.round(rate * 100) }),
    ),
    [words.explainedFlips, figure(flips.explained)],
    [words.unexplainedFlips, figure(flips.unexplained)],
    [words.towardsMajority, figure(flips.towardsMajority)],
    ...(metrics.control
      ? [
          [w.control.persuaded, String(metrics.control.persuaded)] as [string, string],
          [w.control.unstable, String(metrics.control.unstable)] as [string, string],
        ]
      : []),
    [words.keptMinority, positions(minority.kept)],
    [words.lostMinority, positions(minority.lost)],
    [words.quotesVerified, verified],
    [words.answeredChallenges, figure(challenges.answered)],
    [words.concededChallenges, figure(challenges.conceded)],
    [words.rejectedChallenges, figure(challenges.rejected)],
    [words.silentChallenges, figure(challenges.unanswered)],
    [words.effectiveVotes, figure(effectiveVotes)],
    ...buildPhaseRows(durations, words, nameIn(words.duration), (seconds) =>
      fill(words.seconds, { count: formatFigure(Math.round(seconds * 10) / 10, w.common) }),
    ),
    [words.tokens, figure(tokens)],
    [words.cost, figure(cost)],
  ];
}

const buildPhaseRows = (
  figures: Metrics['durations'],
  { unknown }: Words['archive'],
  nameRow: (phase: string) => string,
  showFigure: (figure: number) => string,
): [string, string][] =>
  PHASES.filter((phase) => phase in figures).map((phase) => {
    const value = figures[phase] ?? null;
    return [nameRow(phase), value === null ? unknown : showFigure(value)];
  });
