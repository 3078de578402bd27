// Takes a launch for failed whose program ended well and said nothing.
import type { LaunchResult } from './result.ts';

const SAYS = {
  invisible: 'printed nothing that can be read',
  reasoning: 'printed nothing but its reasoning',
  'empty form': 'printed nothing but the empty form',
};

/** A result whose text says nothing is a failed launch: its log keeps what was printed. */
export async function rejectEmptyAnswer(result: LaunchResult): Promise<LaunchResult> {
  if (!result.ok) return result;
  // It brings the reader of forms.
  const { nothingSaid } = await import('../../council/ledger/text/empty-answer.ts');
  const nothing = nothingSaid(result.output.toString('utf8'));
  if (nothing === null) return result;
  const reason = SAYS[nothing];
  const record = result.record && { ...result.record, ok: false };
  return { ...result, ok: false, failure: 'failed', reason, safeReason: reason, record };
}
