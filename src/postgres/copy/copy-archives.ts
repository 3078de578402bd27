// Copies what is not a document: archives, late and private texts, messages. The source is not changed.
import { CouncilError, ignoreCodes } from '../../core/base/errors.ts';
import { isBlindNow } from '../../core/council/state/state.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import { isSealed } from '../../core/store/small-files.ts';
import { extractConversationId } from '../../core/app/storage/ports.ts';
import type { StoragePorts } from '../../core/app/storage/ports.ts';

/** Messages per query. */
const PAGE = 1000;

export interface CopiedExtras {
  archives: number;
  lateTexts: number;
  privateTexts: number;
  messages: number;
}

/**
 * Copies what is stored besides documents, then verifies it. `states` are the live councils; `write: false`
 * only counts. Throws `failed` if the target has something else under the same name.
 */
export async function copyBesideDocuments(
  from: StoragePorts,
  to: StoragePorts,
  states: readonly CouncilState[],
  write: boolean,
): Promise<CopiedExtras> {
  const conversations = new Set(states.map(({ conversationId }) => conversationId));
  const archives = await copyArchives(from, to, conversations, write);
  let lateTexts = 0;
  for (const conversation of conversations) lateTexts += await copyLate(from, to, conversation, write);
  let privateTexts = 0;
  for (const state of states) privateTexts += await copyPrivate(from, to, state, write);
  const messages = await copyMessages(from.messages(), to.messages(), write);
  return { archives, lateTexts, privateTexts, messages };
}

const createDifferenceError = (what: string): CouncilError =>
  new CouncilError('failed', `${what} is another one where it is to go: nothing is overwritten.`, {
    hint: 'Look at both, and move one of them away. Then run the same command again.',
  });

async function copyArchives(
  from: StoragePorts,
  to: StoragePorts,
  conversations: Set<string>,
  write: boolean,
): Promise<number> {
  const [source, target] = [from.archives(), to.archives()];
  let count = 0;
  for (const { path } of await source.list()) {
    const text = await source.read(path);
    if (text === undefined) continue;
    count++;
    const conversation = extractConversationId(text);
    if (conversation !== undefined) conversations.add(conversation);
    if (write) await target.create(path, text);
    const there = await target.read(path);
    if (there === undefined ? write : there !== text) throw createDifferenceError(path);
  }
  return count;
}

async function copyLate(
  from: StoragePorts,
  to: StoragePorts,
  conversation: string,
  write: boolean,
): Promise<number> {
  const [source, target] = [from.lateFiles(), to.lateFiles()];
  const texts = await source.list(conversation);
  // Keeping the same bytes again succeeds; others are refused.
  if (write) for (const { name, bytes } of texts) await target.keep(conversation, name, bytes);
  return texts.length;
}

/**
 * Copies the sealed and refused texts of an active council, as far as they are here. In a database, finished
 * blind rounds are closed first, so that nothing more is sealed in them and refused texts can be read.
 */
async function copyPrivate(
  from: StoragePorts,
  to: StoragePorts,
  state: CouncilState,
  write: boolean,
): Promise<number> {
  const { conversationId: id, tour } = state;
  const [source, target] = [from.privateTexts(), to.privateTexts()];
  let count = 0;
  for (const name of (await source.list(id)).filter(isSealed)) {
    const bytes = await source.read(id, name);
    if (!bytes) continue;
    const sealAgain = () => target.write(id, name, bytes).then(() => true);
    // If its round is closed in the target, the text is no longer needed and stays in the source.
    if (!write || (await sealAgain().catch(ignoreCodes('phase_closed')))) count++;
  }
  if (write && target.sealing && state.blind && !isBlindNow(state))
    for (let over = 1; over < tour; over++)
      await target.sealing.close(id, over, 'was over before the council was moved here');
  return count;
}

/** A name that sorts directly after the given one. */
const getNextSortKey = (name: string): string => `${name}0`;

async function copyMessages(source: MessageLog, target: MessageLog, write: boolean): Promise<number> {
  let count = 0;
  for (const channel of await source.channels()) {
    if (write) await target.create(channel);
    let names = await source.names(channel, { limit: PAGE });
    for (
      ;
      names.length > 0;
      names = await source.names(channel, { from: getNextSortKey(names.at(-1)!), limit: PAGE })
    ) {
      for (const name of names) {
        const text = await source.read(channel, name);
        if (text === undefined) continue;
        count++;
        if (!write || (await target.append(channel, name, text, { isMoved: true }))) continue;
        if ((await target.read(channel, name)) !== text)
          throw createDifferenceError(`The message ${channel}/${name}`);
      }
    }
  }
  return count;
}
