// Writes a council's archive and removes its state, resuming safely after a crash.
import { CouncilError, DISK_FULL, ignoreCodes, ignoreRefusal } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { amendCouncil } from '../council/use/commit-change.ts';
import type { Snapshot } from '../council/use/council-access.ts';
import { moveKeptToLate } from '../council/use/advance.ts';
import { parse } from '../council/document/document.ts';
import { transition } from '../council/machine/transition.ts';
import { removeOrphans } from '../council/use/orphans.ts';
import type { Ports } from '../council/use/ports.ts';
import type { ModeReading } from '../council/state/mode-reading.ts';
import type { Council, CouncilState } from '../council/state/state.ts';
import type { Archives } from '../store/archives.ts';
import type { LateFact } from './archive.ts';
import { readArchive, buildArchiveFront } from './parse.ts';
import { archiveOfConversation } from './read.ts';
import { writeFrontMatter } from '../base/front-matter.ts';
import { openFence } from './embed-markdown.ts';
import { writeMarked } from '../council/document/markers.ts';
import type { MarkedText } from '../council/document/markers.ts';
import { writeBlock } from './archive-block.ts';
import { composeArchive } from './compose-archive.ts';
import { pageParts } from './page.ts';
import { renderLabelsLine } from './sections.ts';
import { selectStorableForms, buildArchiveBlock } from './block-facts.ts';

export type ArchivePorts = Ports & { archives: Archives };

export interface ArchivedCouncil {
  /** Relative to the project's root. */
  path: string;
  conversationId: string;
}

/** Each round may be lost to another process or a foreign file; after this many, something else is wrong. */
const ROUNDS = 50;

/**
 * Writes the archive of a council whose closing revision is committed, then removes its state. Resumes at the
 * first missing step, so it may be called again after a crash, and by several processes at once.
 * Throws `not_your_turn` for a council that is still open, `io`, `commit_uncertain`, and `conflict` after many
 * rounds. Disk errors say how the council stands and how to finish. `onEnded` is called only by the call that
 * removed the state, to notify once.
 */
export async function finishArchive(
  ports: ArchivePorts,
  snapshot: Snapshot,
  onEnded: (path: string) => void = () => undefined,
): Promise<ArchivedCouncil> {
  try {
    return await completeArchive(ports, snapshot, onEnded);
  } catch (error) {
    throw error instanceof CouncilError ? addArchivingHint(error, snapshot.council.state) : error;
  }
}

/** Disk errors: the council accepts nothing more, and a later attempt resumes from here. */
const OF_DISKS = ['io', 'commit_uncertain', 'no_hard_links', 'unsafe_private_dir'];

function addArchivingHint(error: CouncilError, { name, closing }: CouncilState): CouncilError {
  if (!OF_DISKS.includes(error.code)) return error;
  const way = `council tick --name ${name}`;
  return new CouncilError(
    error.code,
    `The council "${name}" is closing: everything said is kept and nothing more is accepted, but its archive ${closing?.path} is not finished. ${error.message}`,
    {
      hint: DISK_FULL.includes(error.details.errno)
        ? `Free some space, then finish it with: ${way}`
        : `${error.hint ?? ''} Then finish it with: ${way}`.trim(),
      details: error.details,
      cause: error,
    },
  );
}

async function completeArchive(
  ports: ArchivePorts,
  snapshot: Snapshot,
  onEnded: (path: string) => void,
): Promise<ArchivedCouncil> {
  const { conversationId, name } = snapshot.council.state;
  await moveKeptToLate(ports, snapshot.council.state);
  await removeOrphans(ports, snapshot.council, 'closed');
  for (let round = 0, now: Snapshot | undefined = snapshot; round < ROUNDS; round++) {
    const late = await listLateFacts(ports, conversationId);
    const text = renderArchive(now.council, late, await ports.modeReading?.(now.council.state.mode));
    const { path, at } = now.council.state.closing!;
    if (!(await placeArchiveFile(ports.archives, path, text, now.council))) {
      await reserveOtherPath(ports, now.council.state);
    } else {
      await ports.privateFiles.markArchived(conversationId, at);
      const removed = await ports.store.remove(name, now.revision).catch(ignoreCodes('conflict'));
      if (removed !== undefined) {
        onEnded(path);
        return { path, conversationId };
      }
    }
    now = await readAgain(ports, name, conversationId);
    if (!now) return findFinishedElsewhere(ports.archives, path, conversationId);
  }
  throw new CouncilError(
    'conflict',
    `The archive of "${name}" could not be finished: it changed ${ROUNDS} times meanwhile.`,
    {
      hint: 'Run the same command again: council tick',
    },
  );
}

/** True if the archive is at this path, whichever call wrote it; false if it is a different file. */
async function placeArchiveFile(
  archives: Archives,
  path: string,
  text: string,
  council: Council,
): Promise<boolean> {
  if ((await archives.create(path, text)) === 'created') return true;
  const there = await archives.read(path);
  return there !== undefined && (there === text || isSameArchive(there, path, council));
}

/**
 * True for an archive of this council with all texts verbatim. Generated lines may differ: a text may have come
 * too late since, or another version of council may have written them before the crash.
 */
function isSameArchive(text: string, path: string, { state, brief, contributions }: Council): boolean {
  const there = ignoreRefusal(() => readArchive(text, path));
  const hashes = (said: Council['contributions']) =>
    said
      .map((c) => `${c.tour} ${c.by} ${c.sha256}`)
      .sort()
      .join('\n');
  return (
    there?.meta.conversationId === state.conversationId &&
    there.altered.length === 0 &&
    there.brief === brief &&
    hashes(there.contributions) === hashes(contributions)
  );
}

/** Commits a new closing revision with another path, because a foreign file occupies the reserved one. */
async function reserveOtherPath(
  ports: ArchivePorts,
  { name, conversationId, topic, closing }: CouncilState,
): Promise<void> {
  const path = await ports.reserveArchive(topic, Date.parse(closing!.at));
  await amendCouncil(ports, name, { action: 'reserve', by: null }, (council) => {
    // Another process may have finished it, and a successor may have the same name.
    if (council.state.conversationId !== conversationId) return { result: null };
    const event = { type: 'reserve', instead: closing!.path, path } as const;
    const result = transition(council, event, ports.clock.now());
    return { ...(result.ok && { next: result.council }), result: null };
  }).catch(ignoreCodes('unknown_council'));
}

/** Reads the council again; undefined if it is gone, or its name belongs to another one. */
async function readAgain(
  ports: ArchivePorts,
  name: string,
  conversationId: string,
): Promise<Snapshot | undefined> {
  const stored = await ports.store.read(name);
  const council = stored && parse(stored.text, `council "${name}"`);
  return council?.state.conversationId === conversationId
    ? { council, revision: stored!.revision }
    : undefined;
}

async function findFinishedElsewhere(
  archives: Archives,
  path: string,
  conversationId: string,
): Promise<ArchivedCouncil> {
  const archived = await archiveOfConversation(archives, conversationId);
  return { path: archived?.path ?? path, conversationId };
}

async function listLateFacts(ports: ArchivePorts, conversationId: string): Promise<LateFact[]> {
  return (await ports.lateFiles.list(conversationId)).map(({ name, bytes }) => ({
    name,
    bytes: bytes.length,
    sha256: sha256(bytes),
    path: `memory/shared/.late/${conversationId}/${name}`,
  }));
}

// Renders the file of an archive.

/**
 * Renders the archive of a council whose closing revision is committed: the same bytes at every call. Texts are
 * on the page, all other facts in the block; `readArchive` restores both. Throws `not_your_turn` for a council
 * that is still open.
 */
export function renderArchive(council: Council, late: LateFact[], reading?: ModeReading): string {
  const archive = composeArchive(council, late, reading);
  const forms = selectStorableForms(archive.contributions);
  const page = pageParts(archive, {
    brief: (text) => writeMarkedAndCloseFence({ kind: 'brief', facts: {}, text }),
    letters: renderLabelsLine,
    digest: (text) => writeMarkedAndCloseFence({ kind: 'digest', facts: {}, text }),
    contribution: (said) =>
      writeMarkedAndCloseFence({
        kind: 'response',
        facts: { by: said.by, tour: said.tour },
        text: said.text.slice(forms.get(said)?.length ?? 0),
      }),
  });
  const body = `${page.join('\n\n')}\n\n`;
  const facts = buildArchiveBlock(archive, body);
  return writeFrontMatter(buildArchiveFront(facts), `${body}${writeBlock(facts)}\n`);
}

/** Writes a marked text, and closes a code fence that it leaves open, so that what follows is not code. */
const writeMarkedAndCloseFence = (marked: MarkedText): string =>
  [writeMarked(marked), openFence(marked.text)].filter((part) => part !== '').join('\n\n');
