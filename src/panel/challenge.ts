// Offline panel: a reviewer's contribution to CHALLENGE.
import type { Assessment } from './assess.ts';
import type { Document } from './document.ts';
import { formatExchange } from './exchange.ts';
import { parseFindings, sameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Objection } from './objection.ts';
import { FACT_OBJECTIONS } from './objections-facts.ts';
import { PLACE_OBJECTIONS } from './objections-places.ts';
import type { Reviewer } from './reviewer.ts';
import { says } from './says.ts';
import type { Said, View } from './view.ts';
import { opening, origin } from './wording.ts';

/** Every argument there is; the first that meets a finding is the one that is raised. */
export const OBJECTIONS: readonly Objection[] = [...PLACE_OBJECTIONS, ...FACT_OBJECTIONS];

/** Challenges that one contribution raises; the rest is counted. */
const RAISED = 12;
/** Findings of one participant that are read. */
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
  const words = says(document.language);
  const claims = claimsOf(view.contributions).filter(
    ({ finding }) => !assessment.all.some((own) => sameFinding(own, finding)),
  );
  const raised = claims.flatMap((claim) => raise(claim, reviewer, document, assessment));
  const others = new Set(claims.map(({ label }) => label)).size;
  const read = words.read(claims.length, others);
  const parts = [
    `${opening(reviewer.id)} ${raised.length === 0 ? `${read}; ${words.noneCollides}` : `${read} ${words.challenged(raised.length)}`}`,
    ...raised
      .slice(0, RAISED)
      .map(({ label, finding, reason, argument }) =>
        formatExchange({ kind: 'Challenge', reason, finding, words: argument }, label),
      ),
    raised.length > RAISED ? words.more(raised.length - RAISED) : '',
    origin(document.language),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
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
