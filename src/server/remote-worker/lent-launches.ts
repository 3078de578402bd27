// Records which worker's token a launch was leased to: only that token may submit its result.
import { parseJsonSafely } from '../../core/base/text.ts';
import type { PrivateTexts } from '../../core/store/private-texts.ts';

/** A launch that was lent: to whom, for whose turn. */
export interface LentTo {
  /** The id of the worker's token. */
  token: string;
  participant: string;
  tour: number;
}

const formatLentNoteName = (lease: string): string => `lent-${lease}.json`;

/**
 * Written before the worker gets the lease: without it no result is accepted. After a power failure
 * the worker still has its text.
 */
export async function noteLent(
  files: Pick<PrivateTexts, 'write'>,
  { conversationId, lease }: { conversationId: string; lease: string },
  to: LentTo,
): Promise<void> {
  await files.write(conversationId, formatLentNoteName(lease), Buffer.from(JSON.stringify(to)), {
    durable: false,
  });
}

/** Whether a launch was lent like that, also where its lease is another's by now. */
export async function wasLent(
  files: Pick<PrivateTexts, 'read'>,
  { conversationId, lease }: { conversationId: string; lease: string },
  { token, participant, tour }: LentTo,
): Promise<boolean> {
  const bytes = await files.read(conversationId, formatLentNoteName(lease));
  if (!bytes) return false;
  const to = parseJsonSafely(Buffer.from(bytes).toString('utf8')) as Partial<LentTo>;
  return to.token === token && to.participant === participant && to.tour === tour;
}
