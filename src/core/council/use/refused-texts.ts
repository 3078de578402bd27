// Keeps refused texts, in private while their phase is blind.
import { CouncilError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { MAX_COUNCIL_BYTES } from '../../base/text.ts';
import type { Ports } from './ports.ts';
import { isBlindNow } from '../state/state.ts';
import type { KeepResult, CouncilState } from '../state/state.ts';
import type { PhaseName } from '../state/allowed-values.ts';

/** Limits of a participant's refused texts per council, so that they cannot fill the disk. */
const MOST_TEXTS = 64;
const MOST_BYTES = MAX_COUNCIL_BYTES;
/** Shared prefix, and limit, of all texts without a known seat: a wrong token, an unknown name. */
const UNSEATED = 'UNSEATED-';

/** Checking the limit and keeping a text take turns: concurrent calls could both take the last slot. */
const TURNS = 'refused texts';

/** The turn that a refused text was written for. */
export interface RefusedTurn {
  conversationId: string;
  participant: string;
  phase: PhaseName;
  tour: number;
  /** A launched program's texts are limited by its launches, and were paid for. */
  isLaunch: boolean;
}

/**
 * Keeps a refused text with its council, which may differ from the one in `state`: private while its phase is
 * blind, otherwise under `.late/`. The same text of a participant is kept once.
 */
export const keepRefused = (
  ports: Ports,
  state: CouncilState,
  turn: RefusedTurn,
  bytes: Uint8Array,
): Promise<KeepResult> =>
  runInTurn(TURNS, async () => {
    const { conversationId, participant, phase, tour } = turn;
    const hash = computeShortHash(bytes);
    const kept = await listRefusedTexts(ports, conversationId, participant);
    const same = kept.find(({ name }) => name.endsWith(`-${hash}`));
    if (same) return same.path;
    const full = turn.isLaunch ? undefined : findFullReason(participant, kept, bytes.length);
    if (full) return full;
    const name = `${participant}-${phase}-${tour}-${hash}`;
    const isHidden = state.conversationId === conversationId && isBlindNow(state) && !state.closing;
    return isHidden
      ? ports.privateFiles.write(conversationId, `kept-${name}`, bytes)
      : ports.lateFiles.keep(conversationId, name, bytes);
  });

/** Keeps a text whose council or seat is unknown; `isSeated` if it is this participant's own. */
export const keepUnplacedText = (
  { privateFiles }: Pick<Ports, 'privateFiles'>,
  { participant, isSeated }: { participant: string; isSeated: boolean },
  bytes: Uint8Array,
): Promise<KeepResult> =>
  runInTurn(TURNS, async () => {
    const owner = participant.replace(/[^a-z0-9.-]/gi, '_').slice(0, 80);
    const group = isSeated ? `${owner}-` : UNSEATED;
    const name = `${isSeated ? '' : UNSEATED}${owner}-${computeShortHash(bytes)}.md`;
    try {
      const kept = (await privateFiles.listKept()).filter((one) => one.name.startsWith(group));
      const same = kept.find((one) => one.name === name);
      const full = same
        ? undefined
        : findFullReason(isSeated ? participant : 'unknown seats', kept, bytes.length);
      return full ?? (await privateFiles.keep(name, bytes));
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      return { failed: error.message };
    }
  });

/** Lists a participant's refused texts in a council, wherever they are. */
async function listRefusedTexts(
  { privateFiles, lateFiles }: Ports,
  conversationId: string,
  participant: string,
) {
  const matchOwn = (prefix: string): ((name: string) => boolean) => {
    const start = `${prefix}${participant}-`;
    // Ids have no capitals: "ana-COLLECT-1-…" cannot belong to "ana-maria".
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

function findFullReason(
  whose: string,
  kept: { bytes: number }[],
  more: number,
): { failed: string } | undefined {
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  if (kept.length < MOST_TEXTS && bytes + more <= MOST_BYTES) return undefined;
  return {
    failed: `${kept.length} refused texts of ${whose} are kept already (${bytes} bytes); the limit is ${MOST_TEXTS}, and ${MOST_BYTES} bytes.`,
  };
}

const computeShortHash = (bytes: Uint8Array): string => sha256(bytes).slice(0, 16);

const latest = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after all earlier work under the same key in this process, for check-then-act sequences that no
 * revision guards. Work must not wait for other work under its own key.
 */
export function runInTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const done = (latest.get(key) ?? Promise.resolve()).then(work);
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  latest.set(key, ended);
  void ended.then(() => latest.get(key) === ended && latest.delete(key));
  return done;
}
