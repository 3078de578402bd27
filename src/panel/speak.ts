// Offline panel: what a reviewer or the rapporteur says in the phase of a view.
import { CouncilError } from '../core/base/errors.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assess.ts';
import { challenge } from './challenge.ts';
import { readDocument } from './document.ts';
import type { Document } from './document.ts';
import { formatFinding } from './finding.ts';
import { synthesize } from './rapporteur.ts';
import { resolve } from './resolve.ts';
import type { Reviewer, ReviewerId } from './reviewer.ts';
import { loadReviewer } from './reviewers.ts';
import { says } from './says.ts';
import { opening, origin } from './wording.ts';
import type { View } from './view.ts';

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
    return `${opening(id)} ${says('en').tooDeep}\n\n${origin('en')}\n`;
  }
}

function review(reviewer: Reviewer, view: View): string {
  const document = readDocument(view.brief);
  const assessment = assess(reviewer, document);
  if (view.phase === 'CHALLENGE') return challenge(reviewer, document, assessment, view);
  if (view.phase === 'RESOLVE') return resolve(reviewer, document, assessment, view);
  return collect(reviewer, document, assessment);
}

/** A reviewer's contribution to COLLECT: its findings. */
function collect(reviewer: Reviewer, document: Document, { all, listed, abstains }: Assessment): string {
  const words = says(document.language);
  const first = all.filter(({ severity }) => severity === 'first').length;
  const parts = [
    `${opening(reviewer.id)} ${abstains ?? words.found(all.length, first)}`,
    ...listed.map(formatFinding),
    all.length > listed.length ? words.more(all.length - listed.length) : '',
    document.unread > 0 && !document.binary && abstains === undefined ? words.unread(document.unread) : '',
    origin(document.language),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
