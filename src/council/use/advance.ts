import { CouncilError } from '../../base/errors.ts';
import { amend } from './update-council.ts';
import type { Reading } from './update-council.ts';
import type { Effect, Unsealed } from '../machine/close.ts';
import { closable } from '../machine/close.ts';
import { withContribution } from '../document/document.ts';
import { resolverOf } from '../naming/labels.ts';
import { removeOrphans } from './orphans.ts';
import { decisionOf } from '../vote/outcome.ts';
import { transition } from '../machine/transition.ts';
import type { PhaseEvent } from '../machine/transition.ts';
import type { Ports } from './ports.ts';
import { contributionOf } from '../document/contribution.ts';
import { unsealAll } from './seal.ts';
import type { SealedText } from './seal.ts';
import { readSpooled } from './spooled.ts';
import type { Council, CouncilState, Transition } from '../state/state.ts';
import { seat } from '../state/state.ts';

export interface Advance {
  /** The phase transition that this call committed; null when the phase stays open or somebody else closed it. */
  transition: Transition | null;
  council: Council;
  /** The revision that `council` has. */
  revision: number;
  effects: Effect[];
  /** Participants who have responded but whose sealed text is not on this machine, with the place where it lies. */
  missing: { participant: string; place: string | null }[];
}

/**
 * Closes the open phase if it may close: everybody awaited has responded, or the time is up. In a blind phase one commit
 * changes the phase and reveals texts and salts. In SYNTHESIZE it commits the closing revision that reserves the archive.
 * At most one transition; when another process was first, none.
 */
export async function advance(ports: Ports, { council, revision }: Reading): Promise<Advance> {
  const { state } = council;
  const unsealed = unsealAll(state, ports.privateFiles);
  const missing = unsealed.missing.map((participant) => ({
    participant,
    place: seat(state, participant).sealedAt,
  }));
  const stay: Advance = { transition: null, council, revision, effects: [], missing };
  if (!closable(state, ports.clock.now(), unsealed.missing, ports.clock.clocks())) return stay;
  const path =
    state.currentPhase === 'SYNTHESIZE' ? await ports.reserveArchive(state.topic, ports.clock.now()) : '';
  // The Markdown parser is loaded when a phase closes, not at every look.
  const { closeTour } = await import('../ledger/ledger.ts');
  const seed = ports.random.hex(8);
  const { result, revision: committed } = await amend(
    ports,
    state.name,
    { action: 'close', by: null },
    (now) => {
      if (
        now.state.conversationId !== state.conversationId ||
        now.state.tour !== state.tour ||
        now.state.closing
      )
        return { result: stay };
      // A sealed text that came in since the first read has to be read as well.
      const fresh = now.state.revision === revision ? unsealed : unsealAll(now.state, ports.privateFiles);
      const open = revealed(now, fresh.texts);
      const findings = () => ({
        seed,
        ledger: closeTour(
          open,
          { phase: now.state.currentPhase, tour: now.state.tour },
          resolverOf(now.state),
        ),
      });
      const spooled = readSpooled(now.state, ports.privateFiles);
      const event: PhaseEvent =
        now.state.currentPhase === 'SYNTHESIZE'
          ? { type: 'archive', path, usage: spooled.usage }
          : { type: 'close', ...asUnsealed(fresh), ...spooled, ...findings() };
      const outcome = transition(now.state, event, ports.clock.now(), ports.clock.clocks());
      if (!outcome.ok) return { result: stay };
      const next = decided({ ...open, state: outcome.state });
      return {
        next,
        result: {
          transition: outcome.state.transitions.at(-1) ?? null,
          council: next,
          revision,
          effects: outcome.effects,
          missing: [],
        },
      };
    },
  );
  if (!result.transition) return result;
  await removeOrphans(ports, result.council, 'closed');
  try {
    surfaceKept(ports, state);
  } catch (error) {
    // The transition stands. They are safe where they lie, and the archive takes them out again.
    if (!(error instanceof CouncilError && error.code === 'io')) throw error;
  }
  return at(result, committed);
}

/**
 * Ends the council at once: everything sealed is revealed, and the closing revision reserves the archive's path.
 * A cancelling that a crash interrupted is taken up again.
 */
export async function cancel(ports: Ports, { council, revision }: Reading, why: string): Promise<Advance> {
  const { state } = council;
  if (state.closing && state.status === 'CANCELLED')
    return {
      transition: null,
      council,
      revision,
      effects: [{ type: 'archive', path: state.closing.path }],
      missing: [],
    };
  const path = await ports.reserveArchive(state.topic, ports.clock.now());
  const { result, revision: committed } = await amend(
    ports,
    state.name,
    { action: 'cancel', by: null },
    (now) => {
      if (now.state.conversationId !== state.conversationId)
        throw new CouncilError(
          'phase_closed',
          `The council "${state.name}" has been archived and another one has its name.`,
        );
      const unsealed = unsealAll(now.state, ports.privateFiles);
      const outcome = transition(
        now.state,
        { type: 'cancel', why, path, ...asUnsealed(unsealed), ...readSpooled(now.state, ports.privateFiles) },
        ports.clock.now(),
      );
      if (!outcome.ok)
        throw new CouncilError(outcome.code, outcome.message, {
          hint: 'Finish its archive with: council tick',
        });
      const next = { ...revealed(now, unsealed.texts), state: outcome.state };
      return {
        next,
        result: {
          transition: outcome.state.transitions.at(-1) ?? null,
          council: next,
          revision,
          effects: outcome.effects,
          missing: [],
        },
      };
    },
  );
  return at(result, committed);
}

/** The council with its decision, once the participants have been heard. */
function decided(council: Council): Council {
  if (council.state.currentPhase !== 'SYNTHESIZE' || council.state.decision) return council;
  return { ...council, state: { ...council.state, decision: decisionOf(council) } };
}

/** The outcome with the revision that its commit got. */
const at = (outcome: Advance, revision: number): Advance => ({
  ...outcome,
  revision,
  council: { ...outcome.council, state: { ...outcome.council.state, revision } },
});

/** The council with sealed texts put in the open: text and salt together, so that anybody can check the commitment. */
export function revealed(council: Council, texts: SealedText[]): Council {
  return texts.reduce((open, sealed) => {
    const { participant: by, phase, tour, at, salt, verdict, text } = sealed;
    const commitment =
      seat(council.state, by).commitment ??
      council.state.absences.find((a) => a.participant === by && a.tour === tour)?.commitment;
    return {
      ...open,
      contributions: withContribution(open, {
        ...contributionOf({ by, phase, tour, at, verdict, text }),
        salt,
        commitment,
      }),
    };
  }, council);
}

function asUnsealed({ texts, missing }: ReturnType<typeof unsealAll>): Unsealed {
  return { verdicts: Object.fromEntries(texts.map((t) => [t.participant, t.verdict])), missing };
}

/** Texts that were refused while the phase was blind may now lie with the other late ones, inside the project. */
export function surfaceKept(ports: Ports, state: CouncilState): void {
  const kept = 'kept-';
  for (const name of ports.privateFiles.list(state.conversationId)) {
    if (!name.startsWith(kept)) continue;
    const bytes = ports.privateFiles.read(state.conversationId, name);
    if (bytes) ports.lateFiles.keep(state.conversationId, name.slice(kept.length), bytes);
  }
}
