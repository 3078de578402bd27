// Offline panel: what a reviewer or the rapporteur says in the phase of a view.
import { formatFinding } from './finding.ts';
import type { Document } from './document.ts';
import type { Assessment } from './assess.ts';
import { CouncilError } from '../base/errors.ts';
import { assess } from './assess.ts';
import { challenge } from './challenge.ts';
import { readDocument } from './document.ts';
import { THRESHOLDS, confidenceOf, positionOf, weightOf, withStance } from './position.ts';
import { synthesize } from './rapporteur.ts';
import { resolve } from './resolve.ts';
import type { Reviewer, ReviewerId } from './reviewer.ts';
import { loadReviewer } from './reviewers.ts';
import type { View } from './view.ts';
import { count, origin, perRule, severities, unread } from './wording.ts';

/** What a program of the panel says to a view. Pure; the same view gives the same words. Throws `usage` for a phase that is not its own. */
export async function speak(id: ReviewerId | 'rapporteur', view: View): Promise<string> {
  if (id === 'rapporteur') {
    if (view.phase === 'SYNTHESIZE') return synthesize(view);
    throw new CouncilError('usage', `The rapporteur speaks in SYNTHESIZE only, and this is ${view.phase}.`, {
      hint: 'Seat it with --coordinator rapporteur, not among the --agents.',
    });
  }
  if (view.phase === 'SYNTHESIZE') {
    throw new CouncilError('usage', `The reviewer ${id} writes no synthesis.`, {
      hint: 'Use --coordinator rapporteur.',
    });
  }
  const reviewer = await loadReviewer(id);
  try {
    return review(reviewer, view);
  } catch (error) {
    // Recursive readers end so on Markdown that nests thousands deep.
    if (!(error instanceof RangeError && error.message.includes('call stack'))) throw error;
    const words = `**${reviewer.title}**: The brief nests too deep to be read: there is nothing I can judge.\n\nPosition: abstain.\n\n${origin(reviewer)}`;
    return withStance({ position: 'abstain', confidence: 0 }, words);
  }
}

function review(reviewer: Reviewer, view: View): string {
  const document = readDocument(view.brief);
  const assessment = assess(reviewer, document);
  if (view.phase === 'CHALLENGE') return challenge(reviewer, document, assessment, view);
  if (view.phase === 'RESOLVE') return resolve(reviewer, document, assessment, view);
  return collect(reviewer, document, assessment);
}

/** A reviewer's contribution to COLLECT: its position and its findings. */
function collect(
  reviewer: Reviewer,
  document: Document,
  { all, listed, abstains, blocking }: Assessment,
): string {
  const { words } = document;
  if (abstains !== undefined) {
    const position = blocking.length > 0 ? 'major-changes' : 'abstain';
    return withStance(
      { position, confidence: 0, blocking },
      [`**${reviewer.title}**: ${abstains}`, ...blocking, `Position: ${position}.`, origin(reviewer)].join(
        '\n\n',
      ),
    );
  }
  const position = positionOf(all, words);
  const rest = all.filter((one) => !listed.includes(one));
  const parts = [
    `**${reviewer.title}**: ${all.length === 0 ? 'no findings' : `${count(all.length, 'finding')} (${severities(all)})`} in ${count(words, 'word')} of prose.`,
    `Position: ${position}. The findings weigh ${weightOf(all, words)} per 1,000 words (major 5, minor 2, note 1; approve below ${THRESHOLDS.minor}, major-changes from ${THRESHOLDS.major}).`,
    ...listed.map(formatFinding),
    rest.length > 0 ? `Not listed: ${count(rest.length, 'more finding')} (${perRule(rest)}).` : '',
    unread(document),
    origin(reviewer),
  ];
  return withStance(
    { position, confidence: confidenceOf(words, all.length, 0), blocking },
    parts.filter((part) => part !== '').join('\n\n'),
  );
}
