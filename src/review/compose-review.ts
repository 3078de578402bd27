// Composes a review from what a council has said: pure, so that an archive gives the same review again. Text that is addressed to reviewers is a finding of its own.

import { loadWords } from '../core/base/words/words.ts';
import type { Words } from '../core/base/words/words.ts';
import { withoutThoughts } from '../core/council/ledger/text/reasoning.ts';
import type { Said } from '../core/council/state/mode-reading.ts';
import { parseBrief } from './brief.ts';
import type { Assignment } from './brief.ts';
import { decideFinding, decideVerdict, sortFindings } from './decide-findings.ts';
import { mergeFindings, numberFindings } from './merge-findings.ts';
import type { Found } from './merge-findings.ts';
import { readFindings } from './read-findings.ts';
import type { ReadFindings, SaidFinding } from './read-findings.ts';
import { readJudgements } from './read-judgements.ts';
import type { ReadJudgements } from './read-judgements.ts';
import type { Finding, Judgement, Review, Reviewer } from './report.ts';
import type { Change, DiffLine } from './change.ts';

/** One council's part of a review. */
export interface ReviewedPart {
  assignment: Assignment;
  reviewers: Reviewer[];
  findings: Finding[];
}

/** What was found in one council before the cross-round. */
interface Collected {
  assignment: Assignment;
  reviewers: Reviewer[];
  found: Found[];
}

/** What each reviewer found in COLLECT, not yet joined or judged. */
export function collectFindings({ brief, contributions, state }: Said): Collected {
  const assignment = parseBrief(brief);
  const { change } = assignment;
  const read = state.order.map((by) => {
    const said = contributions.find((one) => one.by === by && one.phase === 'COLLECT');
    return { by, read: said && readAnswer(said.text, assignment) };
  });
  return {
    assignment,
    reviewers: read.map(({ by, read: answer }) => ({ id: by, name: by, status: findStatus(answer) })),
    found: mergeFindings(
      [
        ...read.map(({ by, read: answer }) => ({ by, findings: answer?.findings ?? [] })),
        { by: COUNCIL, findings: findSigns(change, loadWords(state.lang).reviewSign) },
      ],
      change,
    ),
  };
}

/** The findings in an answer, without what its author only thought. */
export const readAnswer = (text: string, { change }: Assignment): ReadFindings =>
  readFindings(
    withoutThoughts(text),
    change.files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])),
  );

const findStatus = (read: ReadFindings | undefined): Reviewer['status'] =>
  read === undefined ? 'failed' : read.findings.length > 0 || read.saysNothing ? 'read' : 'unreadable';

/** What one reviewer is to judge: of others, where it stands in the change, and severe or found by one alone. */
export const selectFindingsToJudge = ({ found }: Collected, reviewer: string): Found[] =>
  found.filter(({ kind, severity, wordings }) => {
    const finders = new Set(wordings.map(({ by }) => by));
    if (kind === 'outside' || kind === 'refuted' || finders.has(reviewer)) return false;
    return severity === 'blocker' || severity === 'major' || finders.size === 1;
  });

/** The findings of one part of a change: those that are the same joined, each with its judgements and its standing. */
export function composePart(said: Said): ReviewedPart {
  const collected = collectFindings(said);
  const { assignment, reviewers } = collected;
  const answers = said.contributions
    .filter(({ phase }) => phase === 'CHALLENGE')
    .map(({ by, text }) => ({ by, read: readJudgements(withoutThoughts(text), assignment.change) }));
  const found = joinSame(collected.found, answers);
  const findings = found.map((one) => {
    const finders = new Set(one.wordings.map(({ by }) => by));
    const judgements = answers.flatMap(({ by, read }) =>
      read.judgements.flatMap(({ id, ...judged }): Judgement[] =>
        // Finders do not judge their own findings.
        one.ids.includes(id) && !finders.has(by) ? [{ by, ...judged }] : [],
      ),
    );
    return decideFinding(one, keepOneEach(judgements), assignment.failOn);
  });
  return { assignment, reviewers, findings };
}

/** Of one who judged two findings that were joined, the judgement that holds it. */
const keepOneEach = (judgements: readonly Judgement[]): Judgement[] =>
  [...Map.groupBy(judgements, ({ by }) => by).values()].map(
    (all) => all.find(({ kind }) => kind !== 'reject') ?? all[0]!,
  );

/** A finding with the numbers of all that it was joined of. */
type Joined = Found & { ids: string[] };

/** Joins two findings that a finder of each calls the same. */
function joinSame(
  found: readonly Found[],
  answers: readonly { by: string; read: ReadJudgements }[],
): Joined[] {
  const joined = found.map((one) => ({ ...one, ids: [one.id] }));
  const isFinder = (one: Found, by: string): boolean => one.wordings.some((wording) => wording.by === by);
  const isHeld = (a: Found, b: Found): boolean => {
    const proposers = answers.filter(({ read }) =>
      read.same.some((pair) => pair.includes(a.id) && pair.includes(b.id)),
    );
    return [a, b].every((one) => proposers.some(({ by }) => isFinder(one, by)));
  };
  for (const pair of answers.flatMap(({ read }) => read.same)) {
    const [one, other] = pair.map((id) => found.find((each) => each.id === id));
    if (!one || !other || !isHeld(one, other)) continue;
    // The earlier one has the words that are shown first.
    const [into, from] = [one, other]
      .map(({ id }) => joined.find(({ ids }) => ids.includes(id))!)
      .toSorted((a, b) => joined.indexOf(a) - joined.indexOf(b)) as [Joined, Joined];
    if (into === from || into.kind !== from.kind) continue;
    into.wordings = [...into.wordings, ...from.wordings];
    into.ids.push(...from.ids);
    joined.splice(joined.indexOf(from), 1);
  }
  return joined;
}

/** The whole review of a change, of all its parts in their order. `names` are the reviewers' by id. */
export function joinParts(
  parts: readonly ReviewedPart[],
  { change, archives, notes }: Pick<Review, 'archives' | 'notes'> & { change: Assignment['change'] },
): Review {
  const { base, head, title, leftOut, files } = change;
  const reviewers = joinReviewers(parts);
  const findings = numberFindings(parts.flatMap((part) => part.findings));
  return {
    ...{ base, head, title, leftOut, reviewers, archives, notes },
    files: files.map((file) => ({ ...file, hunks: file.hunks.map(({ lines: _, ...hunk }) => hunk) })),
    failOn: parts[0]?.assignment.failOn ?? 'major',
    // A part that too few have read leaves the whole without a verdict.
    verdict: decideWhole(parts),
    findings: sortFindings(findings),
  };
}

function decideWhole(parts: readonly ReviewedPart[]): Review['verdict'] {
  const verdicts = parts.map(({ reviewers, findings }) => decideVerdict(reviewers, findings));
  return (['none', 'block'] as const).find((one) => verdicts.includes(one)) ?? 'pass';
}

/** Each reviewer as it fared in the part in which it fared worst. */
function joinReviewers(parts: readonly ReviewedPart[]): Reviewer[] {
  const all = Map.groupBy(
    parts.flatMap(({ reviewers }) => reviewers),
    ({ id }) => id,
  );
  const worst = ['failed', 'unreadable', 'read'] as const;
  return [...all.values()].map((same) =>
    worst.map((status) => same.find((one) => one.status === status)).find(Boolean)!,
  );
}

/** Who finds these, beside the reviewers. */
const COUNCIL = 'council';

type Say = Words['reviewSign'];

const SIGNS: { pattern: RegExp; sign: Exclude<keyof Say, 'text' | 'comment'> }[] = [
  { pattern: /[\u202A-\u202E\u2066-\u2069]/u, sign: 'reorder' },
  // Letters that nothing shows; the flags of England, Scotland and Wales are written with them.
  {
    pattern:
      /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,7})[\u{E0020}-\u{E007F}]|[\u{E0100}-\u{E01EF}]{4}|(?:\u200B|\u200C|\u2060|\u2063){8}/u,
    sign: 'hidden',
  },
  {
    pattern:
      /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|other|your)\b.{0,40}\b(?:instructions?|prompts?|rules?)\b|\b(?:ignor|oubli)(?:er|ez|e)\b.{0,40}\b(?:consignes?|instructions?|règles?)\b/iu,
    sign: 'ignore',
  },
  {
    pattern:
      /\b(?:reviewers?|ai|llm|assistants?|models?)\b.{0,60}\b(?:must|should|please)\b.{0,40}\b(?:approve|confirm|report no|find nothing|say nothing)\b|\b(?:relecteurs?|ia|assistants?|modèles?)\b.{0,60}\b(?:doi(?:t|vent)|devez|devraient)\b.{0,40}\b(?:approuver|confirmer|ne rien)\b/iu,
    sign: 'told',
  },
];

/** What pages of a forge do not show. Templates have such comments for people. */
const HIDDEN_COMMENT =
  /<!--(?:(?!-->).){0,2000}?\b(?:ai|llms?|assistants?|models?|agents?|bots?|approve)\b/isu;

/** The signs in what a change adds, in names of files, and in what people wrote about it, as findings. */
function findSigns({ files, about = '' }: Pick<Change, 'files' | 'about'>, say: Say): SaidFinding[] {
  const told = HIDDEN_COMMENT.test(about) ? say.comment : undefined;
  return [
    ...about
      .split('\n')
      .flatMap((line) => listSigns(line, say).map((title) => toFinding(title, say, { about: line }))),
    // Robots that describe changes leave such comments, too.
    ...(told === undefined ? [] : [{ ...toFinding(told, say, {}), severity: 'minor' as const }]),
    ...files.flatMap(({ path, hunks }) => [
      ...listSigns(path, say).map((title) => toFinding(title, say, { file: path })),
      ...hunks.flatMap(({ lines }) =>
        lines
          .filter(({ mark }) => mark === '+')
          .flatMap((line) =>
            listSigns(line.text, say).map((title) => toFinding(title, say, { file: path, line })),
          ),
      ),
    ]),
  ];
}

/** What a text does, at most one thing of it. */
const listSigns = (text: string, say: Say): string[] =>
  SIGNS.filter(({ pattern }) => pattern.test(text))
    .map(({ sign }) => say[sign])
    .slice(0, 1);

const toFinding = (
  title: string,
  say: Say,
  { file = null, line, about }: { file?: string | null; line?: DiffLine; about?: string },
): SaidFinding => ({
  ...{ severity: 'major', category: 'security', title, file, side: 'new' },
  lines: line ? { start: line.number, end: line.number } : null,
  quotes: line ? [line.text] : [],
  text: about === undefined ? say.text : `${say.text}\n${about}`,
  fix: undefined,
});
