// Writes sealed texts safely around a commit, and removes orphans.
import { ignoreCodes } from '../../base/errors.ts';
import { createOwnerCache } from '../../base/memoize.ts';
import { tryParseJson } from '../../base/text.ts';
import { parseCachedCouncil } from './commit-change.ts';
import { runInTurn } from './refused-texts.ts';
import type { Ports } from './ports.ts';
import { commitmentOf, formatKeptName, getSealedName } from './seal.ts';
import type { SealedText } from './seal.ts';
import type { Council } from '../state/state.ts';

type OrphanPorts = Pick<Ports, 'store' | 'privateFiles' | 'processes'>;

/** Sealed texts whose commit is in progress in this process, which will commit no other texts. */
const underWay = new Set<string>();

/**
 * Seals a text, runs the `commit` that refers to it, and removes it again unless the commit returns a council
 * that refers to it (the phase may have closed, the disk may be full). The private file and its folder are durable
 * before `commit` is called.
 * Then removes the orphans of this commit: the text of the `replaced` commitment, and those left by dead
 * processes.
 */
export async function commitSealed<T extends { now: Council | null; replaced: string | null }>(
  ports: OrphanPorts,
  name: string,
  sealed: SealedText,
  commit: () => Promise<T>,
): Promise<T> {
  const { conversationId, participant, tour } = sealed;
  const file = formatSealedName(sealed);
  underWay.add(file);
  let done: T | undefined;
  try {
    const content: SealedText = { ...sealed, writer: ports.processes.self() };
    await ports.privateFiles.write(conversationId, file, Buffer.from(JSON.stringify(content)));
    done = await commit();
    return done;
  } finally {
    underWay.delete(file);
    const { now = null, replaced = null } = done ?? {};
    if (now) await tidyLeniently(() => markCommitted(ports, conversationId, file));
    if (now) await tidySeals(ports, now, replaced && getSealedName(participant, tour, replaced));
    // Also after an error: a commit whose folder could not be synced may be valid, and its text is needed.
    else await tidyLeniently(() => removeUnreferenced(ports, name, conversationId, [file]));
  }
}

/** Changes committed as one revision look for orphans once: in a large council the list is long. */
const tidied = createOwnerCache<Promise<void>>(50);

function tidySeals(ports: OrphanPorts, now: Council, replaced: string | null): Promise<void> {
  if (replaced !== null) return removeOrphans(ports, now, 'open', [replaced]);
  const { conversationId, revision } = now.state;
  return tidied(ports.privateFiles, `${conversationId} ${revision}`, () => removeOrphans(ports, now, 'open'));
}

/** Returns the name of the file that marks a sealed text as committed. It may not survive a power cut. */
export const formatCommittedName = (file: string): string => `committed-${file}`;

async function markCommitted(
  { privateFiles }: OrphanPorts,
  conversationId: string,
  file: string,
): Promise<void> {
  await privateFiles.write(conversationId, formatCommittedName(file), new Uint8Array(), { durable: false });
}

/** Whether a text sealed by this process still has its file; it may have been removed as an orphan. */
export const hasSealedFile = async ({ privateFiles }: OrphanPorts, sealed: SealedText): Promise<boolean> =>
  (await privateFiles.size(sealed.conversationId, formatSealedName(sealed))) !== undefined;

/**
 * Removes sealed texts that no commit refers to or can refer to: their writer died before its commit, or they
 * were `replaced`. During an open phase, a text stays if its writer's process cannot be checked from here.
 */
export async function removeOrphans(
  ports: OrphanPorts,
  council: Council,
  phase: 'open' | 'closed',
  replaced: string[] = [],
): Promise<void> {
  const { conversationId, name } = council.state;
  await tidyLeniently(async () => {
    const needed = collectNeededSeals(council);
    const isOrphan = async (one: string): Promise<boolean> =>
      !needed.has(one) &&
      (replaced.includes(one) || !(await canBeCommitted(ports, conversationId, one, phase)));
    const dead: string[] = [];
    for (const one of await ports.privateFiles.list(conversationId))
      if (/^sealed-.+\.json$/.test(one) && (await isOrphan(one))) dead.push(one);
    if (dead.length > 0) await removeUnreferenced(ports, name, conversationId, dead, replaced);
  });
}

/**
 * Removes those of the texts that the newest revision does not refer to; none has a commit pending. A text that
 * was acknowledged and not `replaced` belonged to a revision lost with its state file, so it is kept among the
 * late texts.
 */
const removeUnreferenced = (
  ports: OrphanPorts,
  council: string,
  conversationId: string,
  names: string[],
  replaced: string[] = names,
): Promise<void> =>
  withSealedTextsLocked(conversationId, () =>
    removeEach(ports, { council, conversationId, replaced }, names),
  );

/** Runs work that relies on existing sealed texts: no other such work of this process changes them meanwhile. */
export const withSealedTextsLocked = <T>(conversationId: string, work: () => Promise<T>): Promise<T> =>
  runInTurn(`sealed texts of ${conversationId}`, work);

async function removeEach(
  ports: OrphanPorts,
  { council, conversationId, replaced }: { council: string; conversationId: string; replaced: string[] },
  names: string[],
): Promise<void> {
  // Read as late as possible: a writer may have committed just before it ended.
  const stored = await ports.store.read(council);
  const now = stored && parseCachedCouncil({ text: stored.text, name: council });
  if (now?.state.conversationId !== conversationId) return;
  const needed = collectNeededSeals(now);
  for (const name of names.filter((one) => !needed.has(one))) {
    const mark = formatCommittedName(name);
    const isLost =
      !replaced.includes(name) && (await ports.privateFiles.size(conversationId, mark)) !== undefined;
    if (isLost) await keepLost(ports, now, name);
    for (const file of [name, mark]) await ports.privateFiles.remove(conversationId, file);
  }
}

async function keepLost(
  { privateFiles }: OrphanPorts,
  { state, contributions }: Council,
  name: string,
): Promise<void> {
  const { conversationId } = state;
  const sealed = parseSealedText(await privateFiles.read(conversationId, name));
  if (!sealed) return;
  const { participant, tour } = sealed;
  // A participant's newer text in that round replaces it, even if the replacing process died before removal.
  const isReplaced =
    contributions.some((said) => said.by === participant && said.tour === tour) ||
    (tour === state.tour && Boolean(state.participants[participant]?.commitment));
  if (!isReplaced) await privateFiles.write(conversationId, formatKeptName(sealed), Buffer.from(sealed.text));
}

/** Returns the sealed texts a council needs: those of the open phase, missing ones, and revealed ones. */
export function collectNeededSeals({ state, contributions }: Council): Set<string> {
  const seats = state.order.map((id) => [id, state.tour, state.participants[id]?.commitment] as const);
  const absences = state.absences.map((a) => [a.participant, a.tour, a.commitment] as const);
  const said = contributions.map((c) => [c.by, c.tour, c.commitment] as const);
  const all = [...seats, ...absences, ...said];
  return new Set(
    all.flatMap(([id, tour, commitment]) => (commitment ? getSealedName(id, tour, commitment) : [])),
  );
}

async function canBeCommitted(
  { privateFiles, processes }: OrphanPorts,
  conversationId: string,
  name: string,
  phase: 'open' | 'closed',
): Promise<boolean> {
  if (underWay.has(name)) return true;
  const writer = parseSealedText(await privateFiles.read(conversationId, name))?.writer;
  const self = processes.self();
  const isOwn = writer?.pid === self.pid && writer.startTime === self.startTime && writer.host === self.host;
  if (isOwn) return false;
  return (writer && processes.isAlive(writer)) ?? phase === 'open';
}

/** Parses a sealed text from disk, unchecked; undefined if unreadable. Those of older versions have no writer. */
function parseSealedText(bytes: Uint8Array | undefined): SealedText | undefined {
  const found = tryParseJson(Buffer.from(bytes ?? []).toString('utf8')) as SealedText | null | undefined;
  return typeof found?.text === 'string' ? found : undefined;
}

const formatSealedName = (sealed: SealedText): string =>
  getSealedName(sealed.participant, sealed.tour, commitmentOf(sealed));

/** A failed cleanup is repeated when the phase closes; it must not fail work that is done. */
const tidyLeniently = (tidy: () => Promise<void>): Promise<void> => tidy().catch(ignoreCodes());
