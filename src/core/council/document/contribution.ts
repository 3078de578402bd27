// Builds a contribution from a text and its verdict, and checks its bytes.
import { CouncilError } from '../../base/errors.ts';
import { MAX_CONTRIBUTION_BYTES, decodeText } from '../../base/text.ts';
import { measureText } from './markers.ts';
import { pickChoice } from '../state/ballot.ts';
import type { Choice, Contribution, Verdict } from '../state/state.ts';

/** Builds a contribution with its length and hash; undeclared fields are left out of the marker. */
export function buildContribution(
  from: Omit<
    Contribution,
    'bytes' | 'sha256' | 'agreed' | 'done' | 'position' | 'blocking' | keyof Choice
  > & {
    verdict: Verdict;
  },
): Contribution {
  const { verdict, text, ...facts } = from;
  return {
    ...facts,
    ...measureText(text),
    ...(verdict.agreed && { agreed: true }),
    ...(verdict.done && { done: true }),
    ...(verdict.position !== null && { position: verdict.position }),
    ...(verdict.blocking.length > 0 && { blocking: verdict.blocking }),
    ...pickChoice(verdict),
    text,
  };
}

/** Decodes the text of a contribution; throws `too_large`, `invalid_text` or `empty_text`. */
export function checkText(bytes: Uint8Array): string {
  if (bytes.length > MAX_CONTRIBUTION_BYTES) {
    throw new CouncilError(
      'too_large',
      `The contribution has ${bytes.length} bytes; the limit is ${MAX_CONTRIBUTION_BYTES} (1 MiB).`,
      { hint: 'Shorten it: what is long goes into a file of the project that the text names.' },
    );
  }
  const text = decodeText(bytes, 'The contribution');
  if (text.trim() === '')
    throw new CouncilError('empty_text', 'The contribution is empty.', {
      hint: 'Say at least why there is nothing to add.',
    });
  return text;
}
