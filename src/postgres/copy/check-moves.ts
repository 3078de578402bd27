// What is looked at before a project is moved: nothing is written unless all of it can go.
import { CouncilError } from '../../core/base/errors.ts';
import { readStamp, readState } from '../../core/council/document/document.ts';
import { isBlindNow } from '../../core/council/state/state.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { missingTexts } from '../../core/council/use/seal.ts';
import { movingOf } from '../../core/store/moving.ts';
import type { Keeping } from '../../core/app/storage/ports.ts';
import { requireSame } from './move-document.ts';
import type { Move } from './document-kinds.ts';

/** One end of a move. */
export interface End {
  keeping: Keeping;
  /** `files`, or the database as people are told of it. */
  told: string;
}

/** The live councils. Throws where one of the documents cannot go, and says which. */
export async function checkMoves(moves: readonly Move[], from: End, to: End): Promise<CouncilState[]> {
  const states: CouncilState[] = [];
  for (const move of moves) {
    const live = new Set(await move.from.documents.list());
    for (const key of await move.from.histories.keys()) {
      await requireSame(move, key, from.told);
      if (to.told !== 'files') await requireKeepable(move, key);
      if (!live.has(key)) continue;
      const text = (await move.from.documents.read(key))?.text;
      if (text === undefined) continue;
      requireThisWay(key, text, to);
      if (move.kind === 'council') states.push(await checkCouncil(key, text, from, to));
    }
  }
  return states;
}

function requireThisWay(key: string, text: string, to: End): void {
  const moving = movingOf(text);
  if (!moving || moving.to === to.told) return;
  throw new CouncilError('failed', `"${key}" is being moved to ${moving.to} already, since ${moving.at}.`, {
    hint: 'Finish that move first.',
  });
}

/** A server refuses it in the middle otherwise, when there is no way back. */
async function requireKeepable({ from }: Move, key: string): Promise<void> {
  for (const { revision, bytes } of await from.documents.versions(key)) {
    const text = bytes > 0 ? await from.documents.readVersion(key, revision) : undefined;
    if (!text?.includes('\0')) continue;
    throw new CouncilError(
      'invalid_text',
      `Revision ${revision} of "${key}" contains a NUL character, which PostgreSQL cannot keep.`,
      { hint: 'Archive that council first. Then run the same command again.' },
    );
  }
}

async function checkCouncil(name: string, text: string, from: End, to: End): Promise<CouncilState> {
  const { edits } = from.keeping.councils(readStamp);
  if (await edits.isEdited(name))
    throw new CouncilError('hand_edit', `The state file of "${name}" was changed by hand.`, {
      hint: `Take the change with "council adopt --name ${name}" or drop it with "council restore --name ${name}".`,
    });
  const state = readState(text, `council "${name}"`);
  await requireBlindHere(state, from, to);
  return state;
}

/** A blind round goes with the texts, which only one user has; and never out of a database, which alone can keep them from all. */
export async function requireBlindHere(state: CouncilState, from: End, to: End): Promise<void> {
  if (!isBlindNow(state)) return;
  const { name } = state;
  if (to.told === 'files')
    throw new CouncilError(
      'forbidden',
      `"${name}" is in a blind phase, and does not leave the database before it closes.`,
      {
        hint: `See what it waits for: council status --name ${name}`,
        details: { council: name },
      },
    );
  const missing = await missingTexts(state, from.keeping.privateTexts());
  if (missing.length > 0)
    throw new CouncilError(
      'sealed_text_missing',
      `"${name}" is in a blind phase, and the sealed texts of ${missing.join(', ')} are not here: only the user who holds them can move it.`,
      {
        hint: 'Let that user run it, or wait until the phase has closed.',
        details: { council: name, missing },
      },
    );
  const { sealing } = to.keeping.privateTexts();
  await sealing?.check();
  if (await sealing?.isClosed(state.conversationId, state.tour))
    throw new CouncilError(
      'phase_closed',
      `The blind phase of "${name}" is closed in ${to.told}, for ever.`,
      {
        hint: 'Close it here as well, with: council advance. Then run the same command again.',
        details: { council: name },
      },
    );
}
