// Offline panel: a reviewer's contribution to CHALLENGE.
import type { Assessment } from './assess.ts';
import type { Document } from './document.ts';
import { formatExchange } from './exchange.ts';
import { parseFindings, sameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Objection } from './objection.ts';
import { PLACE_OBJECTIONS, TRADE_OBJECTION } from './objections-places.ts';
import { WORD_OBJECTIONS } from './objections-words.ts';
import { canLiveWith, confidenceOf, majority, positionOf, statedPosition, withStance } from './position.ts';
import type { Position } from './position.ts';
import type { Reviewer } from './reviewer.ts';
import type { Said, View } from './view.ts';
import { count, origin, perRule } from './wording.ts';

/** Every argument there is; the first that meets a finding is the one that is raised. */
export const OBJECTIONS: readonly Objection[] = [...PLACE_OBJECTIONS, TRADE_OBJECTION, ...WORD_OBJECTIONS];

/** Challenges that one contribution raises; the rest is counted. */
const RAISED = 12;
/** Findings of one participant that are read; a contribution in our form has a dozen. */
const READ = 100;

interface Claim {
  label: string;
  finding: Finding;
}
interface Challenge extends Claim {
  reason: string;
  argument: string;
}

/** The findings that others stated in COLLECT, with whose they are. */
export function claimsOf(contributions: readonly Said[]): Claim[] {
  return contributions
    .filter(({ phase }) => phase === 'COLLECT')
    .flatMap(({ label, text }) =>
      parseFindings(text)
        .slice(0, READ)
        .map((finding) => ({ label, finding })),
    );
}

/** A reviewer's contribution to CHALLENGE: where the findings of others collide with what it knows. */
export function challenge(
  reviewer: Reviewer,
  document: Document,
  assessment: Assessment,
  view: View,
): string {
  const claims = claimsOf(view.contributions).filter(
    ({ finding }) => !assessment.all.some((own) => sameFinding(own, finding)),
  );
  const raised = claims.flatMap((claim) => raise(claim, reviewer, document, assessment));
  const shared = claims.filter(
    ({ finding }) =>
      finding.subject !== '' &&
      assessment.all.some(
        (own) => own.line === finding.line && own.subject.toLowerCase() === finding.subject.toLowerCase(),
      ),
  );
  const rest = raised.slice(RAISED);
  const read = `${count(claims.length, 'finding')} of ${count(new Set(claims.map(({ label }) => label)).size, 'other participant')}`;
  const position = positionIn(assessment, document.words);
  const parts = [
    raised.length === 0
      ? `**${reviewer.title}**: I read ${read}; none collides with what my rules know.`
      : `**${reviewer.title}**: I read ${read} and challenge ${raised.length}.`,
    `Position: ${position}.`,
    ...raised
      .slice(0, RAISED)
      .map(({ label, finding, reason, argument }) =>
        formatExchange({ kind: 'Challenge', reason, finding, words: argument }, label),
      ),
    rest.length > 0
      ? `Not listed: ${count(rest.length, 'more challenge')} (${perRule(rest.map(({ reason }) => ({ rule: reason })))}).`
      : '',
    shared.length > 0
      ? `Same words as in findings of mine: ${[...new Set(shared.map(({ finding }) => `line ${finding.line}`))].join(', ')}.`
      : '',
    origin(reviewer),
  ];
  const agreed =
    raised.length === 0 &&
    assessment.blocking.length === 0 &&
    canLiveWith(position, majorityOf(view, position));
  return withStance(
    {
      position,
      confidence: confidenceOf(document.words, assessment.all.length, 0),
      agreed,
      blocking: assessment.blocking,
    },
    parts.filter((part) => part !== '').join('\n\n'),
  );
}

/** The first objection of this reviewer to a finding of somebody else, if it has one. */
function raise(claim: Claim, reviewer: Reviewer, document: Document, assessment: Assessment): Challenge[] {
  for (const objection of OBJECTIONS) {
    if (!objection.by.includes(reviewer.id) || !objection.against.includes(claim.finding.rule)) continue;
    const argument = objection.raise(claim.finding, { document, reviewer, own: assessment.all });
    if (argument) return [{ ...claim, reason: objection.reason, argument }];
  }
  return [];
}

function positionIn({ abstains, all, blocking }: Assessment, words: number): Position {
  if (abstains === undefined) return positionOf(all, words);
  return blocking.length > 0 ? 'major-changes' : 'abstain';
}

/** What most of those hold who have stated something, this one included. */
function majorityOf(view: View, own: Position): ReturnType<typeof majority> {
  const collected = view.contributions.filter(({ phase }) => phase === 'COLLECT');
  return majority([...collected.map(({ text }) => statedPosition(text) ?? ''), own]);
}
