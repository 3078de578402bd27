// Reads councils, and applies events to them.
import { CouncilError, ignoreCodes } from '../../base/errors.ts';
import type { Notice } from '../machine/transition-result.ts';
import type { PhaseEvent, TransitionResult } from '../machine/transition.ts';
import { transition } from '../machine/transition.ts';
import { amendCouncil, countBytes, parseCachedCouncil } from './commit-change.ts';
import { createUnknownCouncilError } from './unknown-council.ts';
import type { Ports } from './ports.ts';
import type { Stored } from '../../store/documents.ts';
import type { Council, CouncilState } from '../state/state.ts';

/** A council with the revision it was read at. */
export interface Snapshot {
  council: Council;
  revision: number;
}

/** Returns the active council with that name; throws `unknown_council` with existing names. */
export async function readCouncil(ports: Pick<Ports, 'store'>, name: string): Promise<Snapshot> {
  const { text, revision } = await requireActiveText(ports, name);
  return { council: parseCachedCouncil({ text, name }), revision };
}

/** True if this council is archived, being archived, or replaced by another of its name. */
export async function isOverOrClosing(
  ports: Pick<Ports, 'store'>,
  name: string,
  conversationId: string,
): Promise<boolean> {
  const found = await readCouncil(ports, name).catch(ignoreCodes('unknown_council'));
  const state = found?.council.state;
  return state?.conversationId !== conversationId || state.closing !== null;
}

/** A snapshot with the byte length of its text. */
export type SizedSnapshot = Snapshot & { size: number };

/**
 * Like `readCouncil`, with the byte length of the text. Kept apart because counting bytes costs half as much
 * as reading.
 */
export async function readCouncilWithSize(ports: Pick<Ports, 'store'>, name: string): Promise<SizedSnapshot> {
  const { text, revision } = await requireActiveText(ports, name);
  return { council: parseCachedCouncil({ text, name }), revision, size: countBytes(text) };
}

async function requireActiveText(ports: Pick<Ports, 'store'>, name: string): Promise<Stored> {
  const stored = await ports.store.read(name);
  if (!stored) throw await createUnknownCouncilError(ports, name);
  return stored;
}

/**
 * Applies and commits one event of the phase machine; throws the machine's refusal. With a `conversationId` it
 * refuses the event if another council has taken the name.
 */
export async function applyEvent(
  ports: Pick<Ports, 'store' | 'actor' | 'why' | 'clock'>,
  name: string,
  event: PhaseEvent,
  options: { conversationId?: string; by?: string | null; action?: string } = {},
): Promise<{ state: CouncilState; notices: Notice[]; revision: number }> {
  const changeName = { action: options.action ?? event.type, by: options.by ?? null };
  const { result, council, revision } = await amendCouncil(ports, name, changeName, (council) => {
    if (options.conversationId && council.state.conversationId !== options.conversationId) {
      throw new CouncilError(
        'phase_closed',
        `The council "${name}" has been archived and another one has its name.`,
        { hint: 'See the archives with: council list' },
      );
    }
    const result = transition(council, event, ports.clock.now(), ports.clock.clocks());
    const { council: next, notices } = requireAccepted(result, `See it with: council status --name ${name}`);
    return { next, result: notices };
  });
  return { state: council.state, notices: result, revision };
}

/** Returns an accepted result; throws the machine's refusal. */
export function requireAccepted(result: TransitionResult, hint: string): TransitionResult & { ok: true } {
  if (result.ok) return result;
  throw new CouncilError(result.code, result.message, { hint });
}
