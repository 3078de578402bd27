// PostgreSQL driver: which private texts it guards, and where people are told that one lies.
import { requireConversationId, requireFileName } from '../../core/store/names.ts';
import { isSealed } from '../../core/store/private-texts.ts';
import type { PrivateTexts } from '../../core/store/private-texts.ts';

/** Beside a sealed text whose commit was acknowledged. Nothing is kept of it here, where no commit is lost that was. */
export const isMark = (name: string): boolean => name.startsWith('committed-');

/** Where a private text lies, or would lie. */
export const privatePath = (
  told: string,
  local: Pick<PrivateTexts, 'path'>,
  conversation: string,
  name: string,
): string =>
  isSealed(name) || isMark(name)
    ? `${told}/sealed/${requireConversationId(conversation)}/${requireFileName(name)}`
    : local.path(conversation, name);
