// Composes a review from the contributions. It is pure, so that an archive gives the same review again.
import { loadReviewWords } from './words.ts';
import { removeReasoning } from '../core/council/ledger/text/reasoning.ts';
import type { CouncilTexts } from '../core/council/state/mode-reading.ts';
import { parseBrief } from './brief.ts';
import type { Assignment } from './brief.ts';
import { decideFinding, decideVerdict, sortFindings } from './decide-findings.ts';
import { mergeFindings, numberFindings } from './merge-findings.ts';
import type { FoundFinding } from './merge-findings.ts';
import { placeFinding } from './place-finding.ts';
import { readFindings } from './read-findings.ts';
import type { ReadFindings, SaidFinding } from './read-findings.ts';
import { readJudgements } from './read-judgements.ts';
import type { ReadJudgements } from './read-judgements.ts';
import type { Finding, Judgement, Review, Reviewer } from './report.ts';
import type { ReviewWords } from './words.ts';
import type { Change, DiffLine } from './change.ts';

export interface ReviewedPart {
  assignment: Assignment;
  reviewers: Reviewer[];
  findings: Finding[];
}

/** The findings of one council before the cross-round. */
interface CollectedFindings {
  assignment: Assignment;
  reviewers: Reviewer[];
  found: FoundFinding[];
}

/** Collects the findings of each reviewer in COLLECT, before joining and judging. */
export function collectFindings({ brief, contributions, state }: CouncilTexts): CollectedFindings {
  const assignment = parseBrief(brief);
  const { change, part } = assignment;
  // The description of a change is repeated in every part, so it is checked only once.
  const signed = part === 1 ? change : { files: change.files };
  const read = state.order.map((by) => {
    const said = contributions.find((one) => one.by === by && one.phase === 'COLLECT');
    return { by, read: said && readAnswer(said.text, assignment) };
  });
  return {
    assignment,
    reviewers: read.map(({ by, read: answer }) => ({ id: by, name: by, status: findStatus(answer) })),
    found: mergeFindings(
      [
        ...read.flatMap(({ by, read: answer }) =>
          (answer?.findings ?? []).map((finding) => ({ by, finding })),
        ),
        ...findSigns(signed, loadReviewWords(state.lang).reviewSign).map((finding) => ({
          by: COUNCIL,
          finding,
        })),
      ],
      change,
    ),
  };
}

/** Reads the findings in an answer, without its author's thoughts. */
export const readAnswer = (text: string, { change }: Assignment): ReadFindings =>
  readFindings(
    removeReasoning(text),
    change.files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])),
  );

const findStatus = (read: ReadFindings | undefined): Reviewer['status'] =>
  read === undefined ? 'failed' : read.findings.length > 0 || read.saysNothing ? 'read' : 'unreadable';

/**
 * Selects the findings that a reviewer should judge: found by others, located in the change, and either
 * severe or found by only one reviewer.
 */
export const selectFindingsToJudge = ({ found }: CollectedFindings, reviewer: string): FoundFinding[] =>
  found.filter(({ kind, severity, wordings }) => {
    const finders = new Set(wordings.map(({ by }) => by));
    if (kind === 'outside' || kind === 'refuted' || finders.has(reviewer)) return false;
    return severity === 'blocker' || severity === 'major' || finders.size === 1;
  });

/**
 * Returns the findings of each part of a change: the same ones joined, with judgements and standing. A
 * finding about a file of another part moves there: its finder was not shown that file in this part, or saw
 * it elsewhere.
 */
export function composeParts(said: readonly CouncilTexts[]): ReviewedPart[] {
  const parts = said.map(collectFindings);
  const found = parts.flatMap((part, from) =>
    part.found.map((one) => ({ one, from, to: findPart(one, from, parts) })),
  );
  return parts.map((part, at) => {
    const own = found.flatMap(({ one, from, to }) => (from === at && to === at ? one : []));
    const others = found.flatMap(({ one, from, to }) => (from !== at && to === at ? one.said : []));
    return composePart(said[at]!, { ...part, found: own }, others);
  });
}

/**
 * Returns the part whose change contains a finding's code, or else its file; the first part if neither does.
 */
function findPart(
  { kind, said: [first] }: FoundFinding,
  from: number,
  parts: readonly CollectedFindings[],
): number {
  if (parts.length === 1 || !first || (kind !== 'outside' && kind !== 'refuted')) return from;
  const kinds = parts.map(({ assignment }) => placeFinding(first.finding, assignment.change).kind);
  const at = ['placed' as const, 'tie' as const].map((one) => kinds.indexOf(one)).find((one) => one !== -1);
  const named = kind === 'outside' ? kinds.findIndex((one) => one !== 'outside') : -1;
  if (at !== undefined || named !== -1) return at ?? named;
  // A finding that belongs to no part is listed only once, in the first.
  return kind === 'outside' || first.finding.file === null ? 0 : from;
}

/** `others` were found in other parts, so the reviewers of this part have not judged them. */
function composePart(
  { contributions }: CouncilTexts,
  { assignment, reviewers, found: collected }: CollectedFindings,
  others: FoundFinding['said'],
): ReviewedPart {
  const { change, failOn } = assignment;
  const answers = contributions
    .filter(({ phase }) => phase === 'CHALLENGE')
    .map(({ by, text }) => ({ by, read: readJudgements(removeReasoning(text), change) }));
  const joined = joinSame(collected, answers);
  const idsOf = new Map(joined.map(({ id, ids }) => [id, ids]));
  const found = others.length === 0 ? joined : mergeFindings(others, change, joined);
  const findings = found.map((one) => {
    const finders = new Set(one.wordings.map(({ by }) => by));
    const judgements = answers.flatMap(({ by, read }) =>
      read.judgements.flatMap(({ id, ...judged }): Judgement[] =>
        idsOf.get(one.id)?.includes(id) && !finders.has(by) ? [{ by, ...judged }] : [],
      ),
    );
    return decideFinding(one, keepOneEach(judgements), failOn);
  });
  return { assignment, reviewers, findings };
}

/** If a reviewer judged two findings that were joined, keeps a judgement that upholds the finding. */
const keepOneEach = (judgements: readonly Judgement[]): Judgement[] =>
  [...Map.groupBy(judgements, ({ by }) => by).values()].map(
    (all) => all.find(({ kind }) => kind !== 'reject') ?? all[0]!,
  );

/** A finding with the ids of all findings that were joined into it. */
type JoinedFinding = FoundFinding & { ids: string[] };

/** Joins two findings if a finder of each called them the same. */
function joinSame(
  found: readonly FoundFinding[],
  answers: readonly { by: string; read: ReadJudgements }[],
): JoinedFinding[] {
  const joined = found.map((one) => ({ ...one, ids: [one.id] }));
  const isFinder = (one: FoundFinding, by: string): boolean =>
    one.wordings.some((wording) => wording.by === by);
  const isHeld = (a: FoundFinding, b: FoundFinding): boolean => {
    const proposers = answers.filter(({ read }) =>
      read.same.some((pair) => pair.includes(a.id) && pair.includes(b.id)),
    );
    return [a, b].every((one) => proposers.some(({ by }) => isFinder(one, by)));
  };
  for (const pair of answers.flatMap(({ read }) => read.same)) {
    const [one, other] = pair.map((id) => found.find((each) => each.id === id));
    if (!one || !other || !isHeld(one, other)) continue;
    // The earlier finding comes first, so its wording is shown first.
    const [into, from] = [one, other]
      .map(({ id }) => joined.find(({ ids }) => ids.includes(id))!)
      .toSorted((a, b) => joined.indexOf(a) - joined.indexOf(b)) as [JoinedFinding, JoinedFinding];
    if (into === from || into.kind !== from.kind) continue;
    into.wordings = [...into.wordings, ...from.wordings];
    into.said = [...into.said, ...from.said];
    into.ids.push(...from.ids);
    joined.splice(joined.indexOf(from), 1);
  }
  return joined;
}

/** Joins the parts of a change, in order, into one review. */
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
    verdict: decideWhole(parts),
    findings: sortFindings(findings),
  };
}

function decideWhole(parts: readonly ReviewedPart[]): Review['verdict'] {
  const verdicts = parts.map(({ reviewers, findings }) => decideVerdict(reviewers, findings));
  return (['none', 'block'] as const).find((one) => verdicts.includes(one)) ?? 'pass';
}

/** Lists each reviewer once, with its worst status in any part. */
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

/** Reported as the finder of these findings, next to the reviewers. */
const COUNCIL = 'council';

type SignWords = ReviewWords['reviewSign'];

const SIGNS: { pattern: RegExp; sign: Exclude<keyof SignWords, 'text' | 'comment'> }[] = [
  { pattern: /[\u202A-\u202E\u2066-\u2069]/u, sign: 'reorder' },
  // Invisible characters. The flags of England, Scotland and Wales are written with them and are exempt.
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

/** HTML comments, which the pages of GitHub do not show. Templates contain such comments for people. */
const HIDDEN_COMMENT =
  /<!--(?:(?!-->).){0,2000}?\b(?:ai|llms?|assistants?|models?|agents?|bots?|approve)\b/isu;

/** Returns findings for suspicious text in added lines, file names and the description. */
function findSigns({ files, about = '' }: Pick<Change, 'files' | 'about'>, say: SignWords): SaidFinding[] {
  const told = HIDDEN_COMMENT.test(about) ? say.comment : undefined;
  return [
    ...about
      .split('\n')
      .flatMap((line) => listSigns(line, say).map((title) => toFinding(title, say, { about: line }))),
    // Only minor, since bots that describe changes leave such comments, too.
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

/** Lists the first sign in a text, if any. */
const listSigns = (text: string, say: SignWords): string[] =>
  SIGNS.filter(({ pattern }) => pattern.test(text))
    .map(({ sign }) => say[sign])
    .slice(0, 1);

const toFinding = (
  title: string,
  say: SignWords,
  { file = null, line, about }: { file?: string | null; line?: DiffLine; about?: string },
): SaidFinding => ({
  ...{ severity: 'major', category: 'security', title, file, side: 'new' },
  lines: line ? { start: line.number, end: line.number } : null,
  quotes: line ? [line.text] : [],
  text: about === undefined ? say.text : `${say.text}\n${about}`,
  fix: undefined,
});
