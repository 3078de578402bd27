// Use cases `restore` and `adopt`: return to an old revision, and take over a hand edit.
import { formatIso } from '../../base/clock.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Version } from '../../store/documents.ts';
import { amendCouncil } from './commit-change.ts';
import { formatLateName } from './conflict-answers.ts';
import { readCouncil, requireAccepted } from './council-access.ts';
import { alteredContributions, parse, readStamp, serialize } from '../document/document.ts';
import { pickChoice } from '../state/ballot.ts';
import { transition } from '../machine/transition.ts';
import type { Ports } from './ports.ts';
import { findDamage, commitOverDamaged, describeEdit } from './altered-revision.ts';
import { restoreDroppedTexts, keepSealed, refuseClosedRound } from './dropped-texts.ts';
import { withSealedTextsLocked } from './orphans.ts';
import type { Contribution, Council } from '../state/state.ts';

export interface RestoreResult {
  revision: number;
  /** Paths of contributions that the new text no longer contains. */
  kept: string[];
  /** Participants who must respond again: the sealed text of that revision was replaced later, and is gone. */
  again: string[];
}

type ReplaceResult = Omit<RestoreResult, 'again'>;

function createNotKeptError(name: string, wanted: number, versions: readonly Version[]): CouncilError {
  const kept = versions.filter(({ bytes }) => bytes > 0).map(({ revision }) => revision);
  const isGone = wanted > 0 && wanted < (kept.at(-1) ?? 0);
  return new CouncilError(
    'unknown_revision',
    isGone
      ? `The text of revision ${wanted} of "${name}" is gone: only the last fifty revisions are kept, fewer for a large council.`
      : `Revision ${wanted} of "${name}" is not kept for this council.`,
    {
      hint:
        kept.length > 0
          ? `Kept: ${formatRanges(kept)}. See them with: council history --name ${name}`
          : undefined,
    },
  );
}

/** Formats revision numbers as "3, 7 to 9". */
function formatRanges(numbers: readonly number[]): string {
  const starts = numbers.filter((number) => !numbers.includes(number - 1));
  return starts
    .map((start) => {
      let end = start;
      while (numbers.includes(end + 1)) end++;
      return end === start ? `${start}` : `${start} to ${end}`;
    })
    .join(', ');
}

/**
 * Makes an old revision the newest. The open phase gets its full time again and running launches are dropped;
 * contributions that the old text lacks are kept under `.late/`. If the newest revision is damaged, the newest
 * readable one is used instead. Throws `unknown_revision`.
 */
export async function restoreRevision(ports: Ports, name: string, wanted: number): Promise<RestoreResult> {
  const old = await ports.store.readVersion(name, wanted);
  const versions = await ports.store.versions(name);
  const createUnknownError = () => createNotKeptError(name, wanted, versions);
  if (old === undefined) throw createUnknownError();
  const where = `revision ${wanted} of "${name}"`;
  const restored = parse(old, where);
  // A text that no commit of council wrote is checked like a hand edit.
  if (readStamp(old)?.intact !== true)
    (await import('../state/check-state.ts')).checkState(restored.state, where);
  await refuseClosedRound(ports, restored);
  const now = ports.clock.now();
  let again: string[] = [];
  const decide = async (current: Council): Promise<Council> => {
    if (current.state.conversationId !== restored.state.conversationId || restored.state.closing)
      throw createUnknownError();
    if (current.state.closing) throw createClosingError(current);
    again = await restoreDroppedTexts(ports, current, restored);
    return requireAccepted(
      transition(restored, { type: 'restore', again }, now, ports.clock.clocks()),
      `See the revisions with: council history --name ${restored.state.name}`,
    ).council;
  };
  const action = `restore ${wanted}`;
  const damage = await findDamage(ports, name);
  if (!damage) return { ...(await replaceCouncil(ports, name, action, decide)), again };
  const { revision, result: kept } = await withSealedTextsLocked(restored.state.conversationId, () =>
    commitOverDamaged(ports, name, { damage, action }, async (current) => {
      const next = await decide(current);
      return { next, result: await keepDropped(ports, current, next) };
    }),
  );
  return { revision, kept, again };
}

/**
 * Takes a hand edit of the state file as the next revision. Throws `hand_edit` if it was made on an older
 * revision or changes the text of a contribution or the brief, and `corrupt` or `invalid_text` if it cannot be
 * read or is not the state of a council.
 */
export async function adopt(ports: Ports, name: string, edited: string): Promise<ReplaceResult> {
  const { checkState } = await import('../state/check-state.ts');
  const where = `the edited file of "${name}"`;
  const edit = await addDropHint(name, () => {
    const read = parse(edited, where);
    checkState(read.state, where);
    return read;
  });
  const base = await ports.store.readVersion(name, edit.state.revision);
  const { council, revision } = await readCouncil(ports, name);
  // Already adopted by a process that was stopped before it could rewrite the state file.
  if (isAdopted(council, edit)) return { revision, kept: [] };
  return replaceCouncil(ports, name, 'adopt', (current) => {
    const { state } = current;
    if (edit.state.conversationId !== state.conversationId || edit.state.name !== name)
      throw createAdoptError(name, 'it belongs to another council');
    const stamp = readStamp(edited);
    // Council's own text of a revision that is missing here, so it is trusted completely.
    const isAhead = stamp?.intact === true && stamp.revision > state.revision;
    if (!isAhead && stamp?.revision !== state.revision) {
      throw createAdoptError(
        name,
        `it was made on revision ${edit.state.revision}, and the council is at ${state.revision}`,
        describeEdit(serialize(current), edited, base),
      );
    }
    if (state.closing) throw createClosingError(current);
    if (edit.brief !== current.brief)
      throw createAdoptError(name, 'it changes the brief, which is immutable');
    refuseChangedReadings(current, edit, isAhead);
    const added = isAhead ? [] : edit.contributions.filter((c) => !hasContribution(current, c));
    const altered = [...alteredContributions(edit), ...added];
    if (altered.length > 0)
      throw createAdoptError(
        name,
        `it changes what ${altered.map((c) => `${c.by} said in ${c.phase}`).join(', ')}: contributions cannot be edited`,
      );
    return { ...edit, state: { ...edit.state, updatedAt: formatIso(ports.clock.now()) } };
  });
}

/** Refuses edits of ballot numbers, and of what was read in a contribution when it was accepted. */
function refuseChangedReadings(current: Council, edit: Council, isAhead: boolean): void {
  const { name, ballot = [] } = current.state;
  const other = isAhead ? edit.state.ballot?.slice(0, ballot.length) : edit.state.ballot;
  if (JSON.stringify(other ?? []) !== JSON.stringify(ballot))
    throw createAdoptError(name, 'it changes ballot numbers, which are fixed');
  const read = (said: Contribution) => {
    const { position, agreed, done, blocking, advocate, parts } = said;
    return JSON.stringify([position, agreed, done, blocking, advocate, parts, pickChoice(said)]);
  };
  const changed = edit.contributions.find((said) =>
    current.contributions.some(
      (c) => c.by === said.by && c.tour === said.tour && c.sha256 === said.sha256 && read(c) !== read(said),
    ),
  );
  if (changed)
    throw createAdoptError(
      name,
      `it changes the values recorded from the contribution of ${changed.by} in ${changed.phase}`,
    );
}

/** True if the newest revision is this very edit. */
function isAdopted(current: Council, edit: Council): boolean {
  const { revision, updatedAt, change, previous } = current.state;
  if (change.action !== 'adopt') return false;
  const state = { ...edit.state, revision, updatedAt, change, ...(previous !== undefined && { previous }) };
  return serialize({ ...edit, state }) === serialize(current);
}

/** Maximum number of attempts under concurrent commits. */
const MAX_ATTEMPTS = 40;

/** Commits the council that `decide` returns. Contributions it drops are saved first, against crashes. */
async function replaceCouncil(
  ports: Ports,
  name: string,
  action: string,
  decide: (current: Council) => Council | Promise<Council>,
): Promise<ReplaceResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { council } = await readCouncil(ports, name);
    const done = await withSealedTextsLocked(council.state.conversationId, async () => {
      const next = await decide(council);
      const kept = await keepDropped(ports, council, next);
      const { result, revision } = await amendCouncil(ports, name, { action, by: null }, (now) =>
        now.state.revision === council.state.revision ? { next, result: true } : { result: false },
      );
      return result && { revision, kept };
    });
    if (done) return done;
  }
  throw new CouncilError('conflict', `"${name}" was changed by others ${MAX_ATTEMPTS} times in a row.`, {
    hint: 'Run the same command again in a moment.',
  });
}

const hasContribution = (council: Council, said: Contribution): boolean =>
  council.contributions.some((c) => c.by === said.by && c.tour === said.tour && c.sha256 === said.sha256);

async function keepDropped(ports: Ports, before: Council, after: Council): Promise<string[]> {
  const kept: string[] = [];
  for (const c of before.contributions.filter((one) => !hasContribution(after, one))) {
    kept.push(
      await ports.lateFiles.keep(before.state.conversationId, formatLateName(c), Buffer.from(c.text)),
    );
  }
  return [...kept, ...(await keepSealed(ports, before, after))];
}

const createClosingError = ({ state }: Council): CouncilError =>
  new CouncilError(
    'phase_closed',
    `The council "${state.name}" is being archived as ${state.closing?.path}.`,
    { hint: 'Finish its archive with: council tick' },
  );

/** Reads a hand edit; if it is unreadable, the error's hint says how to drop it. */
export async function addDropHint<T>(name: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CouncilError) || !['corrupt', 'invalid_text'].includes(error.code)) throw error;
    throw new CouncilError(error.code, error.message, {
      hint: `It cannot be adopted. Drop it with: council restore --name ${name} (it keeps a copy in memory/shared/.edits/).`,
      details: error.details,
      cause: error,
    });
  }
}

function createAdoptError(name: string, why: string, differences = ''): CouncilError {
  const end = differences === '' ? '' : ` Differences:\n${differences}`;
  const drop = `council restore --name ${name}`;
  return new CouncilError('hand_edit', `The hand edit of "${name}" cannot be adopted: ${why}.${end}`, {
    hint:
      differences === ''
        ? `Drop it with: ${drop} (it keeps a copy in memory/shared/.edits/).`
        : `Make the edit again on the current text (${drop} drops this one and keeps a copy in memory/shared/.edits/).`,
  });
}
