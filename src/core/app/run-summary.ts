// Summary of a run for people: the decision, dissent, unanswered points, and the cost.
import { isDecided } from '../archive/archive.ts';
import type { Archive } from '../archive/archive.ts';
import {
  countArchivedVotes,
  findArchiveLetters,
  findDissenters,
  computeStandings,
} from '../archive/positions.ts';
import { groupAbsences } from '../archive/cost.ts';
import { findBallotNumberByWords, renderSupportedPosition } from './answers.ts';
import { formatDuration } from '../base/duration.ts';
import { toOneLine } from '../base/text.ts';
import { translateAbsence } from '../base/words/reasons.ts';
import { fill, formatMoney, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { replaceLetters } from '../council/naming/reveal-names.ts';
import { buildLedgerDocument } from '../council/ledger/ledger-document.ts';
import type { Absence } from '../council/state/state.ts';
import { sumTokens } from '../council/state/budget.ts';
import { formatOutcomeSentence } from '../council/vote/explain.ts';
import { readDecidedActions } from '../archive/decided-actions.ts';

/** The parts of the summary, each a line without its label; lists are empty if there is nothing to report. */
export interface RunSummary {
  /** The outcome with its rule and the votes; null without a decision rule. */
  outcome: string | null;
  decided: boolean;
  /** Whether the synthesis names next actions, which `task plan` can read. */
  hasActions: boolean;
  /** The votes, unless everybody voted alike. */
  votes: string[];
  dissent: string[];
  unanswered: string[];
  /** Who was not heard, why, and how to mend it. */
  absent: string[];
  /** Who spoke, if too few could speak for a decision; otherwise null. */
  able: string[] | null;
  /** Agents without a seat because their files cannot be read. */
  outside: string[];
  /** "9 launches, 12,345 tokens, $0.12; 1m42s". */
  spent: string;
}

const SHOWN = 3;
const LONGEST = 160;

export function summarizeRun(archive: Archive): RunSummary {
  const find = findArchiveLetters(archive);
  const { dissent, unanswered, votes, ...rest } = summarizeInLetters(archive);
  const reveal = (lines: string[]): string[] => lines.map((line) => replaceLetters(line, find));
  return { ...rest, dissent: reveal(dissent), unanswered: reveal(unanswered), votes: reveal(votes) };
}

function summarizeInLetters(archive: Archive): RunSummary {
  const { meta, contributions, absences } = archive;
  const { decision, lang } = meta;
  const w = loadWords(lang);
  const rule = decision && decision.rule !== 'none' ? decision : null;
  const { challenges } = buildLedgerDocument({ ledger: meta.ledger, contributions });
  const open = challenges.filter(({ status }) => status === 'unanswered' || status === 'open');
  return {
    outcome: rule && formatOutcomeSentence(rule, w),
    decided: isDecided(meta),
    hasActions: readDecidedActions(archive.synthesis.text, meta.topic, () => false).length > 0,
    votes: rule ? renderVoteGroups(archive, w) : [],
    dissent: rule
      ? findDissenters(computeStandings(archive), decision?.position).map(
          ({ participant, position, blocking }) =>
            `${participant}${position === null ? '' : ` (${quoteShortened(position, w)})`}${blocking.length === 0 ? '' : `: ${toOneLine(blocking.join('; '), LONGEST)}`}`,
        )
      : [],
    unanswered: limitLines(
      open.map(({ id, by, text }) => fill(w.ending.challenge, { id, by, text: quoteShortened(text, w) })),
      w,
    ),
    absent: renderAbsences(absences, w),
    able: meta.transitions.some(({ reason }) => reason === 'no_quorum')
      ? [...new Set(contributions.map(({ by }) => by))]
      : null,
    outside: (meta.outside ?? []).map(({ id, why }) => fill(w.opening.notSeated, { id, why })),
    spent: describeSpending(meta, w),
  };
}

/** Formats votes as "P1 "Buy it" (claude, gemini)", by number of supporters; nothing if all voted alike. */
function renderVoteGroups(archive: Archive, w: Words): string[] {
  const voted = countArchivedVotes(archive).flatMap(({ by, position }) =>
    position === null ? [] : [{ by, position }],
  );
  const groups = [...Map.groupBy(voted, ({ position }) => position)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  if (groups.length < 2) return [];
  return groups.map(([position, votes]) => {
    const id = findBallotNumberByWords(archive.meta, position);
    return renderSupportedPosition({ id, position, by: votes.map(({ by }) => by) }, w);
  });
}

/** Agents with the same program fail alike, so the remedy is mentioned once. */
function renderAbsences(absences: Absence[], w: Words): string[] {
  const groups = Map.groupBy(
    groupAbsences(absences),
    ({ rounds, reason }) =>
      `(${rounds.map(({ phase }) => phase).join(', ')}): ${toOneLine(translateAbsence(reason, w), 400)}`,
  );
  return [...groups].map(([why, those]) => `${those.map((one) => one.participant).join(', ')} ${why}`);
}

function describeSpending(
  { spent, startedAt, endedAt, lang }: Archive['meta'],
  { ending: w, common }: Words,
): string {
  const time = formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
  if (!spent) return time;
  const tokens = sumTokens(spent);
  const countLaunches = (count: number): string => fill(count === 1 ? w.oneLaunch : w.launches, { count });
  const facts = [
    countLaunches(spent.launches),
    tokens !== null && fill(w.tokens, { count: tokens.toLocaleString(lang) }),
    // A partial sum must not look like the total.
    spent.costUsd !== null &&
      (spent.unknownCost > 0
        ? fill(w.unknownCost, {
            cost: formatMoney(spent.costUsd, common),
            count: countLaunches(spent.unknownCost),
          })
        : formatMoney(spent.costUsd, common)),
  ];
  return fill(w.spent, { facts: facts.filter(Boolean).join(', '), time });
}

const limitLines = (lines: string[], { ending }: Words): string[] =>
  lines.length > SHOWN
    ? [...lines.slice(0, SHOWN), fill(ending.more, { count: lines.length - SHOWN })]
    : lines;

const quoteShortened = (text: string, { outcome }: Words): string =>
  fill(outcome.position, { position: toOneLine(text, LONGEST) });

/** Whether no participant answered. Such a council failed, although it has an archive. */
export const hasNobodySpoken = ({ meta, contributions }: Archive): boolean =>
  meta.status !== 'CANCELLED' && contributions.every(({ phase }) => phase === 'SYNTHESIZE');
