// Stores requests that have a key with their result, so that a repeated one gets the same answer.
import { CouncilError } from '../../base/errors.ts';
import type { Council, CouncilState, KeyedRequest } from '../state/state.ts';
import type { Ports } from './ports.ts';

/** A request with a key: hashes of the key with its sender, and of the whole request. */
export interface Request {
  key: string;
  asked: string;
  /** Stored with the request, because its answer needs it. */
  context?: NonNullable<KeyedRequest['context']>;
}

/** Number of requests stored per participant: repeats come soon. */
const KEPT = 8;

/** Returns the completed request with this key; undefined if there is none, or no key. */
export const findDoneRequest = (
  { requests }: CouncilState,
  request: Request | undefined,
): KeyedRequest | undefined => request && requests?.find(({ key }) => key === request.key);

/**
 * Returns what to store of a request once its revision is known. A hash would reveal a short text to anyone who
 * tries the possible ones, so for a sealed text the hash is sealed too, durably before this resolves.
 */
export async function keepAsked(
  { privateFiles, random }: Pick<Ports, 'privateFiles' | 'random'>,
  { key, asked }: Request,
  turn: Pick<KeyedRequest, 'phase' | 'tour'> & { by: string; conversationId: string; isSealed: boolean },
): Promise<Omit<KeyedRequest, 'revision'>> {
  const { by, phase, tour, conversationId, isSealed } = turn;
  const kept = { key, by, phase, tour };
  if (!isSealed) return { ...kept, asked };
  const name = `asked-${by}-${tour}-${random.hex(16)}`;
  await privateFiles.write(conversationId, name, Buffer.from(asked));
  return { ...kept, sealed: name };
}

/** Adds a request to a council's completed ones. */
export function addRequest(
  council: Council,
  kept: Omit<KeyedRequest, 'revision'> | undefined,
  revision: number,
): Council {
  if (!kept) return council;
  const { state } = council;
  const others = state.requests ?? [];
  const own = others.filter(({ by }) => by === kept.by);
  const gone = own.slice(0, Math.max(0, own.length + 1 - KEPT));
  const requests = [...others.filter((one) => !gone.includes(one)), { ...kept, revision }];
  return { ...council, state: { ...state, requests } };
}

/**
 * Returns the request that this one repeats; undefined for a new one, or if the original can no longer be
 * compared. Throws `key_reused` if the key belongs to a different request.
 */
export async function findRepeatedRequest(
  { privateFiles }: Pick<Ports, 'privateFiles'>,
  state: CouncilState,
  request: Request | undefined,
): Promise<KeyedRequest | undefined> {
  const done = findDoneRequest(state, request);
  if (!request || !done) return undefined;
  const isSame =
    done.sealed === undefined
      ? done.asked === request.asked
      : await isSealedRequest(privateFiles, state.conversationId, done.sealed, request.asked);
  if (isSame !== false) return isSame && done;
  throw new CouncilError('key_reused', 'This key belongs to another request, which was done.', {
    hint: 'Take a new key for every request, and the same one only for the very same request.',
  });
}

async function isSealedRequest(
  { sealing, read }: Ports['privateFiles'],
  conversationId: string,
  name: string,
  asked: string,
): Promise<boolean | undefined> {
  if (sealing) return sealing.same(conversationId, name, asked);
  const bytes = await read(conversationId, name);
  return bytes && Buffer.from(bytes).toString('utf8') === asked;
}
