// Use case `outcome`: records beside an archive what turned out to be right.
import { addOutcome } from '../archive/outcome-record.ts';
import type { Outcome } from '../archive/outcome-record.ts';
import type { ArchiveMeta } from '../archive/archive.ts';
import { findArchive } from '../archive/read.ts';
import { iso } from '../base/clock.ts';
import { CouncilError } from '../base/errors.ts';
import { oneLine } from '../base/text.ts';
import type { App, Result } from './app.ts';
import { explainActive } from './archives.ts';
import type { OutcomeInput } from './input/archive.ts';
import { openWorkspace } from './workspace.ts';

export { describeTurnout } from '../archive/outcome-record.ts';

interface OutcomeDocument {
  /** The archive's id. */
  archive: string;
  /** The newest record, relative to the project's root. */
  path: string | null;
  outcome: Outcome;
  /** The record that counted before; null for the first one, and where nothing was changed. */
  replaced: Outcome | null;
  /** False where the same was recorded last. */
  changed: boolean;
}

/** Records what turned out after a council. A later record replaces the earlier one, which stays. Throws `unknown_archive`, `usage`. */
export async function outcome(app: App, input: OutcomeInput): Promise<Result<OutcomeDocument>> {
  const { ports } = openWorkspace(app);
  const { archives, clock } = ports;
  const { path, archive } = await findArchive(archives, input.archive).catch(
    explainActive(app, input.archive),
  );
  const { meta, outcomes = [] } = archive;
  const last = outcomes.at(-1) ?? null;
  const at = iso(clock.now());
  const outcome: Outcome = {
    ...requireRight(input.right, meta),
    note: input.note ?? null,
    on: input.on === undefined ? at.slice(0, 10) : requirePast(input.on, clock.now()),
    at,
  };
  if (last && JSON.stringify({ ...last, at }) === JSON.stringify(outcome))
    return { document: { archive: meta.id, path: null, outcome: last, replaced: null, changed: false } };
  const written = await addOutcome(archives, path, outcome);
  return { document: { archive: meta.id, path: written, outcome, replaced: last, changed: true } };
}

/** Hours by which the first place on earth is ahead of UTC. */
const EARLIEST = 14;

/** Throws `usage` for a day that has not begun anywhere. */
function requirePast(day: string, now: number): string {
  if (day <= iso(now + EARLIEST * 3_600_000).slice(0, 10)) return day;
  throw new CouncilError('usage', `${day} is still to come: an outcome is what has turned out.`, {
    hint: 'Say on which day it turned out with --on, or leave it out: today (UTC).',
    details: { key: 'on' },
  });
}

/** The position that a number or its own words mean. Throws `usage` with the positions that there are. */
function requireRight(given: string, { ballot = [], id }: ArchiveMeta): Pick<Outcome, 'right' | 'position'> {
  const right = given.trim();
  if (right === 'none' || right === 'other') return { right, position: null };
  const line =
    ballot.find((one) => one.id === right.toUpperCase()) ??
    ballot.find((one) => one.position.toLowerCase() === right.toLowerCase());
  if (line) return { right: line.id, position: line.position };
  const positions = ballot.map((one) => `${one.id} ${oneLine(one.position, 80)}`).join('; ');
  throw new CouncilError(
    'usage',
    `${id} has no position ${JSON.stringify(oneLine(right, 40))}. ${positions === '' ? 'None of its positions has a number.' : `Its positions: ${positions}.`}`,
    {
      hint: 'Or say --right none where no position was right, and --right other where something else was: --note says what.',
      details: { key: 'right', positions: ballot.map((one) => one.id) },
    },
  );
}
