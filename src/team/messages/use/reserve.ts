// Use cases `reserve`, `release` and `reservations`: who works on which files. Staged files that others reserved are
// found by every spelling of a pattern in a project with symbolic links.
import { formatDuration } from '../../../core/base/duration.ts';
import { CouncilError, createUsageError, ignoreSystemFault } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { GENERAL } from '../channel.ts';
import { requirePattern, createPathMatcher } from '../path-patterns.ts';
import { findConflicts, addReservation, dropEndedReservations } from '../reservations.ts';
import type {
  ReservationConflict,
  Reservation,
  ReservationState,
  ReservationRequest,
} from '../reservations.ts';
import { identifyProcess, isAlive } from '../../../core/store/local/liveness.ts';
import type { Clock } from '../../../core/base/clock.ts';
import { systemClock } from '../../../core/store/local/system.ts';
import type { App, Result } from '../../../core/app/app.ts';
import type { ReleaseInput, ReserveInput } from '../../input/messages.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { createOffice, openReservations } from './open-office.ts';
import { requireSender } from './send.ts';
import fs from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { createGitRunner, findIrregularGitFile } from '../../../core/app/git-calls.ts';

export type ReservationDocument = Omit<Reservation, 'keeper'>;
type ReserveDocument =
  | { reservation: ReservationDocument; renewed: boolean }
  /** The staged files, if none is reserved by others. */
  | { checked: string[] };

const DEFAULT_MS = 2 * 3_600_000;
/** Limits that keep the comparison of all patterns fast. */
const PATTERN_LIMITS = { patterns: 32, held: 500 };

/** Reserves all of the patterns or none. Throws `reserved` if one overlaps with a reservation of others. */
export async function reserve(app: App, input: ReserveInput): Promise<Result<ReserveDocument>> {
  const workspace = openWorkspace(app);
  const { keeping } = workspace;
  if (input.check) return { document: await check(app, workspace, input) };
  const wanted = buildReserveRequest(app, input);
  let done: ReturnType<typeof addReservation> | undefined;
  let conflicts: ReservationConflict[] = [];
  await openReservations(app, workspace).change((before) => {
    const held = selectHeldReservations(before, keeping.clock);
    conflicts = findConflicts(held, wanted, (pattern) => listSpellings(workspace.project.root, pattern));
    if (conflicts.length > 0) return before;
    done = addReservation(held, wanted, keeping.clock.now());
    if (done.next.all.flatMap(({ patterns }) => patterns).length > PATTERN_LIMITS.held)
      throw createPatternLimitError('here', PATTERN_LIMITS.held);
    return done.next;
  });
  if (!done || conflicts.length > 0) {
    const asked = input.ask ? await askHolders(app, workspace, wanted, conflicts) : undefined;
    throw createReservedError(wanted, conflicts, asked);
  }
  return { document: { reservation: toReservationDocument(done.reservation), renewed: done.isRenewed } };
}

const selectHeldReservations = (all: ReservationState, clock: Clock): ReservationState =>
  dropEndedReservations(all, clock.now(), isAlive);

function buildReserveRequest(app: App, input: ReserveInput): ReservationRequest {
  const { as, why = null, exclusive, shared, for: forMs = DEFAULT_MS } = input;
  if (as === undefined)
    throw createUsageError('Who is reserving?', 'Say who with: council reserve PATTERN --as AGENT');
  if (exclusive && shared)
    throw createUsageError('--exclusive and --shared exclude each other.', 'Leave out one of them.');
  if (input.patterns.length === 0)
    throw createUsageError('Which files?', 'For example: council reserve "src/queue/**" --as AGENT');
  const patterns = [...new Set(input.patterns.map(requirePattern))];
  if (patterns.length > PATTERN_LIMITS.patterns)
    throw createPatternLimitError('at once', PATTERN_LIMITS.patterns);
  const keeper = resolveKeeper(app, input.pid);
  return {
    by: requireSender(as),
    patterns,
    mode: shared ? 'shared' : 'exclusive',
    why,
    forMs,
    ...(keeper && { keeper }),
  };
}

/** Returns the process that a reservation ends with: the named one, the server of an MCP session, or a turn's. */
function resolveKeeper({ session, turn }: App, pid: number | undefined): ReservationRequest['keeper'] {
  const named = pid ?? session;
  if (named === undefined) return turn?.group;
  const keeper = identifyProcess(named);
  if (isAlive(keeper)) return keeper;
  throw createUsageError(
    `No process ${named} runs here.`,
    'Give the pid of a running process, or leave out --pid.',
  );
}

async function check(
  app: App,
  workspace: Workspace,
  { patterns, as }: ReserveInput,
): Promise<ReserveDocument> {
  if (patterns.length > 0)
    throw createUsageError(
      '--check looks at the staged files, and takes no patterns.',
      'Leave out one of them.',
    );
  const held = selectHeldReservations(await openReservations(app, workspace).read(), workspace.keeping.clock);
  const { staged, taken } = await checkStaged(app, workspace, held, as);
  const [first] = taken;
  if (!first) return { checked: staged };
  const told = taken
    .slice(0, TOLD)
    .map((one) => `${JSON.stringify(one.file)} is reserved: ${describeReservation(one.reservation)}`);
  throw new CouncilError('reserved', `${told.join('. ')}.${formatMoreHint(taken.length)}`, {
    hint: `Commit without it: git restore --staged FILE. Or ask: council send ${first.reservation.by} "…". Yours is what you reserve with --as, or as COUNCIL_PARTICIPANT.`,
    details: {
      conflicts: taken.map((one) => ({ file: one.file, ...toReservationDocument(one.reservation) })),
    },
  });
}

const TOLD = 3;
const formatMoreHint = (count: number): string =>
  count > TOLD ? ` ${count - TOLD} more: council reservations.` : '';

/** Formats the time left, in whole minutes if more than one. */
export function formatTimeLeft(until: string): string {
  const ms = Date.parse(until) - systemClock.now();
  return formatDuration(ms > 60_000 ? Math.ceil(ms / 60_000) * 60_000 : ms);
}

/** Describes the holder, the reason and the time left. */
function describeReservation({ id, by, mode, why, until }: Reservation): string {
  const how = mode === 'shared' ? 'shares it' : 'has it';
  return `${by} ${how} for ${formatTimeLeft(until)} more${why === null ? '' : ` (${JSON.stringify(toOneLine(why, 120))})`}, as ${id}`;
}

function createReservedError(
  { by, patterns }: ReservationRequest,
  conflicts: ReservationConflict[],
  asked: string[] | undefined,
): CouncilError {
  const told = conflicts
    .slice(0, TOLD)
    .map(
      ({ wanted, held, reservation }) =>
        `${JSON.stringify(wanted)} meets ${JSON.stringify(held)}: ${describeReservation(reservation)}`,
    );
  const again = `council reserve ${patterns.map((one) => `'${one.replaceAll("'", "'\\''")}'`).join(' ')} --as ${by} --ask`;
  const hint = asked
    ? `Asked: ${asked.join(', ')}. Look for the answer with: council inbox ${by} --unread`
    : `Work elsewhere meanwhile, or ask for it: ${again}`;
  return new CouncilError(
    'reserved',
    `Nothing is reserved. ${told.join('. ')}.${formatMoreHint(conflicts.length)}`,
    {
      hint,
      details: {
        conflicts: conflicts.map(({ wanted, reservation }) => ({
          wanted,
          ...toReservationDocument(reservation),
        })),
        asked: asked ?? [],
      },
    },
  );
}

/** Sends one message to each holder; returns the holders. */
async function askHolders(
  app: App,
  workspace: Workspace,
  wanted: ReservationRequest,
  conflicts: ReservationConflict[],
): Promise<string[]> {
  const { post } = createOffice(app, workspace);
  const holders = [...new Set(conflicts.map(({ reservation }) => reservation.by))];
  for (const to of holders) {
    const ids = conflicts.filter((one) => one.reservation.by === to).map((one) => one.reservation.id);
    const lines = [
      `${wanted.by} asks for ${wanted.patterns.join(', ')} (${wanted.mode})${wanted.why === null ? '.' : `: ${wanted.why}`}`,
      `When you are done: council release ${ids.join(' ')} --as ${to}`,
    ];
    const draft = { from: wanted.by, to, channel: GENERAL, kind: 'request', body: lines.join('\n') };
    // Agents in the same work tree may ask each other, whatever their roles.
    await post(draft, { isRelayed: true });
  }
  return holders;
}

/** Releases all named reservations or none. Throws `forbidden` for those of others. */
export async function release(
  app: App,
  { ids, as }: ReleaseInput,
): Promise<Result<{ released: ReservationDocument[] }>> {
  const by = requireSender(as);
  let released: Reservation[] = [];
  const workspace = openWorkspace(app);
  await openReservations(app, workspace).change((before) => {
    const held = selectHeldReservations(before, workspace.keeping.clock);
    const patterns = ids.filter((id) => isReservedPattern(held, id, by)).map(requirePattern);
    for (const id of ids) if (!isReservedPattern(held, id, by)) requireOwn(held, id, by);
    released = [];
    const all = held.all.flatMap((one) => {
      if (one.by !== by) return [one];
      const isWhole = ids.length === 0 || ids.includes(one.id);
      const left = isWhole ? [] : one.patterns.filter((pattern) => !patterns.includes(pattern));
      if (left.length === one.patterns.length) return [one];
      released.push({ ...one, patterns: one.patterns.filter((pattern) => !left.includes(pattern)) });
      return left.length === 0 ? [] : [{ ...one, patterns: left }];
    });
    return released.length === 0 ? before : { ...held, all };
  });
  return { document: { released: released.map(toReservationDocument) } };
}

/** True for a pattern that the holder has reserved; false for ids. */
function isReservedPattern({ all }: ReservationState, given: string, by: string): boolean {
  if (all.some(({ id }) => id === given)) return false;
  const own = all.filter((one) => one.by === by).flatMap(({ patterns }) => patterns);
  return own.includes(given) || (given.trim() !== '' && own.includes(requirePattern(given)));
}

function requireOwn({ all }: ReservationState, id: string, by: string): void {
  const found = all.find((one) => one.id === id);
  const hint = 'Who has reserved what: council reservations';
  if (!found)
    throw new CouncilError('failed', `There is no reservation ${JSON.stringify(id.slice(0, 40))} any more.`, {
      hint,
    });
  if (found.by !== by)
    throw new CouncilError('forbidden', `${id} is ${found.by}'s, and only ${found.by} releases it.`, {
      hint,
    });
}

export async function listReservations(app: App): Promise<Result<{ reservations: ReservationDocument[] }>> {
  const workspace = openWorkspace(app);
  const { all } = selectHeldReservations(
    await openReservations(app, workspace).read(),
    workspace.keeping.clock,
  );
  return { document: { reservations: all.map(toReservationDocument) } };
}

/** Returns a reservation without its process, for other agents. */
const toReservationDocument = ({ keeper: _, ...told }: Reservation): ReservationDocument => told;

const createPatternLimitError = (where: string, most: number): CouncilError =>
  new CouncilError('too_large', `At most ${most} patterns are reserved ${where}.`, {
    hint: 'Reserve folders, and release what is done: council reservations',
  });

interface ReservedFile {
  file: string;
  reservation: Reservation;
}

/** Lists the staged files (of renames both names), and those reserved exclusively by anyone but `as`. */
export async function checkStaged(
  app: App,
  { project }: Pick<Workspace, 'project'>,
  { all }: ReservationState,
  as: string | undefined,
): Promise<{ staged: string[]; taken: ReservedFile[] }> {
  const staged = await listStagedFiles(app, project.root);
  const others = all
    .filter(({ by, mode }) => by !== as && mode === 'exclusive')
    .map((reservation) => ({
      reservation,
      matchers: reservation.patterns
        .flatMap((one) => listSpellings(project.root, one))
        .map(createPathMatcher),
    }));
  const taken = staged.flatMap((file) => {
    const found = others.find(({ matchers }) => matchers.some((matches) => matches(file)));
    return found ? [{ file, reservation: found.reservation }] : [];
  });
  return { staged, taken };
}

async function listStagedFiles({ env }: App, root: string): Promise<string[]> {
  const git = createGitRunner(root, env);
  if (!git) throw createStagedError('git is not installed', 'Install git, or leave out --check.');
  const unread = findIrregularGitFile(root, []);
  if (unread) throw unread;
  const said = await git(
    'diff',
    '--cached',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--ignore-submodules=dirty',
    '--relative',
  );
  if (said.failed)
    throw createStagedError(said.why.trim(), 'Run it in a git repository, or leave out --check.');
  return said.stdout.split('\0').filter((file) => file !== '');
}

const createStagedError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `The staged files cannot be looked at: ${why}.`, { hint });

/** Returns the pattern, and its spelling with symbolic links resolved where they exist, if inside the project. */
export function listSpellings(root: string, pattern: string): string[] {
  const parts = pattern.split('/');
  const open = parts.findIndex((part) => /[*?[{]/.test(part));
  for (let count = open === -1 ? parts.length : open; count > 0; count--) {
    const real = findRealPath(join(root, ...parts.slice(0, count)));
    if (real === undefined) continue;
    const way = relative(findRealPath(root) ?? root, real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return [pattern];
    const spelled = [...way.split(sep), ...parts.slice(count)].filter((part) => part !== '').join('/');
    return [...new Set([pattern, spelled === '' ? '**' : spelled.normalize('NFC')])];
  }
  return [pattern];
}

function findRealPath(path: string): string | undefined {
  return ignoreSystemFault(() => fs.realpathSync(path));
}
