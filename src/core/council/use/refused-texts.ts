// Keeps texts that were refused, in private while their phase is blind.
import { CouncilError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { MAX_COUNCIL_BYTES } from '../../base/text.ts';
import type { Ports } from './ports.ts';
import { isBlindNow } from '../state/state.ts';
import type { Kept, CouncilState } from '../state/state.ts';
import type { PhaseName } from '../state/choices.ts';

/** Limit of a participant's refused texts per council, so that they cannot fill the disk. */
const MOST_TEXTS = 64;
const MOST_BYTES = MAX_COUNCIL_BYTES;
/** The same for everybody together whose seat is not known: a wrong token, an unknown name. */
const UNSEATED = 'UNSEATED-';

/** Looking how much is kept and keeping one text more: two that did this at once could both be the last that fits. */
const oneAtATime = (keep: () => Promise<Kept>): Promise<Kept> => inTurn('refused texts', keep);

/** The turn that a refused text was written for. */
export interface RefusedTurn {
  conversationId: string;
  participant: string;
  phase: PhaseName;
  tour: number;
  /** What a launched program has said is limited by its launches, and was paid for. */
  isLaunch: boolean;
}

/**
 * A refused text, with the council it was written for, which need not be the one in `state` any more: private while its
 * phase is blind, else under `.late/`. The same text of a participant is kept once.
 */
export const keepRefused = (
  ports: Ports,
  state: CouncilState,
  turn: RefusedTurn,
  bytes: Uint8Array,
): Promise<Kept> => oneAtATime(() => storeRefusedText(ports, state, turn, bytes));

async function storeRefusedText(
  ports: Ports,
  state: CouncilState,
  turn: RefusedTurn,
  bytes: Uint8Array,
): Promise<Kept> {
  const { conversationId, participant, phase, tour } = turn;
  const hash = computeShortHash(bytes);
  const kept = await listRefusedTexts(ports, conversationId, participant);
  const same = kept.find(({ name }) => name.endsWith(`-${hash}`));
  if (same) return same.path;
  const full = turn.isLaunch ? undefined : whyFull(participant, kept, bytes.length);
  if (full) return full;
  const name = `${participant}-${phase}-${tour}-${hash}`;
  const isHidden = state.conversationId === conversationId && isBlindNow(state) && !state.closing;
  return isHidden
    ? ports.privateFiles.write(conversationId, `kept-${name}`, bytes)
    : ports.lateFiles.keep(conversationId, name, bytes);
}

/** A text for a council or a seat that cannot be told; `isSeated` when it was this participant's own. */
export const keepAnywhere = (
  ports: Pick<Ports, 'privateFiles'>,
  from: { participant: string; isSeated: boolean },
  bytes: Uint8Array,
): Promise<Kept> => oneAtATime(() => keepUnplaced(ports, from, bytes));

async function keepUnplaced(
  { privateFiles }: Pick<Ports, 'privateFiles'>,
  { participant, isSeated }: { participant: string; isSeated: boolean },
  bytes: Uint8Array,
): Promise<Kept> {
  const owner = participant.replace(/[^a-z0-9.-]/gi, '_').slice(0, 80);
  const group = isSeated ? `${owner}-` : UNSEATED;
  const name = `${isSeated ? '' : UNSEATED}${owner}-${computeShortHash(bytes)}.md`;
  try {
    const kept = (await privateFiles.listKept()).filter((one) => one.name.startsWith(group));
    const same = kept.find((one) => one.name === name);
    const full = same ? undefined : whyFull(isSeated ? participant : 'unknown seats', kept, bytes.length);
    return full ?? (await privateFiles.keep(name, bytes));
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return { failed: error.message };
  }
}

interface KeptText {
  name: string;
  path: string;
  bytes: number;
}

/** The refused texts of a participant in a council, wherever they are. */
async function listRefusedTexts(
  { privateFiles, lateFiles }: Ports,
  conversationId: string,
  participant: string,
): Promise<KeptText[]> {
  const matchOwn = (prefix: string): ((name: string) => boolean) => {
    const start = `${prefix}${participant}-`;
    // Ids have no capitals: "ana-COLLECT-1-…" is no text of "ana-maria".
    return (name) => name.startsWith(start) && /^[A-Z]+-\d+-[0-9a-f]{16}$/.test(name.slice(start.length));
  };
  const isHidden = matchOwn('kept-');
  const hidden = (await privateFiles.list(conversationId)).filter(isHidden).map(async (name) => ({
    name,
    path: privateFiles.path(conversationId, name),
    bytes: (await privateFiles.size(conversationId, name)) ?? 0,
  }));
  const isLate = matchOwn('');
  return [
    ...(await Promise.all(hidden)),
    ...(await lateFiles.sizes(conversationId)).filter(({ name }) => isLate(name)),
  ];
}

function whyFull(whose: string, kept: { bytes: number }[], more: number): { failed: string } | undefined {
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  if (kept.length < MOST_TEXTS && bytes + more <= MOST_BYTES) return undefined;
  return {
    failed: `${kept.length} refused texts of ${whose} are kept already (${bytes} bytes); the limit is ${MOST_TEXTS}, and ${MOST_BYTES} bytes.`,
  };
}

const computeShortHash = (bytes: Uint8Array): string => sha256(bytes).slice(0, 16);

const latest = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when everything that this process began before under the same key has ended: for a look and an act that belong
 * together and that no revision guards. Work must not wait for other work under its own key.
 */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const done = (latest.get(key) ?? Promise.resolve()).then(work);
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  latest.set(key, ended);
  void ended.then(() => latest.get(key) === ended && latest.delete(key));
  return done;
}
