// Use case `log`: the events of the project in chronological order, with the launches and contributions of councils.
import { setTimeout as delay } from 'node:timers/promises';
import { CouncilError } from '../../core/base/errors.ts';
import { parseLogEntry } from '../messages/log-entry-schema.ts';
import type { Entry } from '../messages/log-entry-schema.ts';
import { logLine } from '../messages/log-entry.ts';
import { formatUtcDay } from './day-log.ts';
import { parseTaskChannel } from '../tasks/task.ts';
import { openAuditTrail } from '../ports.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { LogInput } from '../input/messages.ts';
import { openDayLog } from '../messages/use/announcer.ts';
import { parseStartTime } from '../messages/use/inbox.ts';
import { findTaskName } from '../tasks/use/find-tasks.ts';
import { openTaskStore } from '../tasks/use/ports.ts';
import { findDeliberation } from '../../core/app/find-deliberation.ts';
import { loadAgents, openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { isWanted, toLogEntry, listAudited, collectTaskEntries, buildLogEntry } from './log-entry.ts';
import type { LogEntry } from './log-entry.ts';
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { archiveMetas, findArchive } from '../../core/archive/read.ts';
import { nameCouncilChannel, COUNCIL } from '../messages/channel.ts';
import { formatIso } from '../../core/base/clock.ts';
import { getSeat } from '../../core/council/state/state.ts';
import type { Contribution, CouncilState } from '../../core/council/state/state.ts';
import { readCouncil } from '../../core/council/use/council-access.ts';

export { logLine };
export type { LogEntry };

interface LogDocument {
  /** The newest entries, in chronological order. */
  entries: LogEntry[];
  /** True if older entries match as well. */
  more: boolean;
}

/** Interval at which `--follow` polls tasks and councils. */
const FOLLOW_LOOK_MS = 1000;

/** Returns the newest entries of the log. Following it is refused: a stream is not one document. */
export async function log(app: App, input: LogInput): Promise<Result<LogDocument>> {
  if (input.follow)
    throw new CouncilError('usage', '--follow prints a stream, not one document.', {
      hint: 'For one object a line: council log --follow --format json',
    });
  return { document: await findNewest(app, input) };
}

/** Shows the newest entries, then each new one, until interrupted. */
export async function followLog(app: App, input: LogInput, show: (entry: LogEntry) => void): Promise<void> {
  const signal = app.interruption();
  const told = new Set<string>();
  let more = new AbortController();
  const stop = openDayLog(app, openWorkspace(app)).follow(() => more.abort());
  try {
    while (!signal.aborted) {
      const { entries } = await findNewest(app, {
        ...input,
        limit: told.size === 0 ? input.limit : Infinity,
      });
      const [first] = entries;
      for (const entry of entries) {
        const line = JSON.stringify(entry);
        if (!told.has(line)) show(entry);
        told.add(line);
      }
      input = { ...input, since: input.since ?? first?.timestamp };
      const soon = AbortSignal.any([signal, more.signal]);
      await delay(FOLLOW_LOOK_MS, undefined, { signal: soon }).catch(() => undefined);
      more = new AbortController();
    }
  } finally {
    stop();
  }
}

/** Returns the newest matching entries. A name without any is resolved as (a part of) a council's name. */
async function findNewest(app: App, input: LogInput): Promise<LogDocument> {
  const workspace = openWorkspace(app);
  const about = await resolveSubject(app, workspace, input.about);
  const named = await findNewestAbout(app, workspace, { ...input, about });
  if (about === undefined || named.entries.length > 0) return named;
  if ((await loadAgents(app, workspace)).find(about)) return named;
  if ((await workspace.keeping.messages().channels()).includes(about)) return named;
  const meant = await findDeliberation(app, { council: about, name: undefined });
  const name = 'council' in meant ? meant.council.state.name : meant.archive.meta.id;
  return name === about ? named : findNewestAbout(app, workspace, { ...input, about: name });
}

async function findNewestAbout(
  app: App,
  workspace: Workspace,
  { about, ...input }: LogInput,
): Promise<LogDocument> {
  const { since, limit } = input;
  const start = since === undefined ? undefined : parseStartTime(since, app.startedAt);
  const { metas } = await archiveMetas(workspace.ports.archives);
  const ofArchive = findChannelTime(metas, about);
  const isMeant = (entry: LogEntry): boolean => isWanted(entry, { ...input, about, start });
  const isEnough = (found: readonly LogEntry[]): boolean => found.filter(isMeant).length > limit;
  const reading = [
    readMessageEntries(app, { start, limit, isMeant, toArchiveEntry: ofArchive }),
    collectTaskEntries(app, workspace, isEnough),
    readApprovalEntries(app, workspace),
    collectCouncilEntries(app, workspace, { metas, about }),
  ];
  const all = (await Promise.all(reading)).flat().filter(isMeant);
  const sorted = all.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  return { entries: sorted.slice(-limit), more: sorted.length > limit };
}

interface MessageQuery {
  start: number | undefined;
  limit: number;
  isMeant(entry: LogEntry): boolean;
  /** Adds the archive to the messages of its council. */
  toArchiveEntry(entry: LogEntry): LogEntry;
}

/** Assigns messages to the wanted archive by their time: later councils of the same name share its channel. */
function findChannelTime(
  metas: readonly ArchiveMeta[],
  about: string | undefined,
): MessageQuery['toArchiveEntry'] {
  const meant = metas.find(({ id }) => id === about);
  if (!meant) return (entry) => entry;
  const { name, id: archive, startedAt } = meant;
  const later = metas.filter((one) => one.name === name && one.startedAt > startedAt);
  const end = later.reduce((first, one) => (one.startedAt < first ? one.startedAt : first), '\uFFFF');
  const isIts = ({ channel, timestamp }: LogEntry): boolean =>
    channel === nameCouncilChannel(name) && timestamp >= startedAt && timestamp < end;
  return (entry) => (isIts(entry) ? { ...entry, archive } : entry);
}

/** Returns the newest entries of the message log, oldest first, plus one if there are older ones. */
async function readMessageEntries(
  app: App,
  { start, limit, isMeant, toArchiveEntry: ofArchive }: MessageQuery,
): Promise<LogEntry[]> {
  const from = start === undefined ? {} : { from: formatUtcDay(start) };
  const entries: LogEntry[] = [];
  for await (const line of openDayLog(app, openWorkspace(app)).read({ newest: true, ...from })) {
    const entry = parseLogEntry(line);
    const named = entry && !isOfExchange(entry) ? ofArchive(toLogEntry(entry)) : undefined;
    if (named && isMeant(named)) entries.push(named);
    if (entries.length > limit) break;
  }
  return entries.reverse();
}

/** Messages about tasks are read from the tasks instead, which store all of them. */
const isOfExchange = ({ event, task, channel }: Entry): boolean =>
  event === 'stored' && task !== undefined && parseTaskChannel(channel) !== undefined;

async function readApprovalEntries(app: App, workspace: Workspace): Promise<LogEntry[]> {
  const { text } = await openAuditTrail(app, workspace).verify();
  return listAudited(text).flatMap(({ told }) => (told.kind === 'approval' ? [told] : []));
}

/** Resolves what the filter is about; a task to its full name. Throws `usage` if several tasks have that id. */
export const resolveSubject = async (
  app: App,
  workspace: Workspace,
  about: string | undefined,
): Promise<string | undefined> =>
  about !== undefined && /^(?:S[a-z0-9]+[/:])?T\d/i.test(about)
    ? findTaskName(openTaskStore(app, workspace), about)
    : about;

/** Fields that both a state and an archive have; an archive's front matter has no absences. */
type CouncilHistory = Pick<CouncilState, 'name' | 'transitions'> &
  Partial<Pick<CouncilState, 'usage' | 'absences'>> & { id?: string };
type ContributionMark = Pick<Contribution, 'by' | 'phase' | 'tour' | 'at'>;

/**
 * Returns the entries of all councils. Contributions of archives are included only if `about` names the
 * archive, because that takes reading the whole file.
 */
export async function collectCouncilEntries(
  app: App,
  { store, ports }: Workspace,
  { metas, about }: { metas: readonly ArchiveMeta[]; about: string | undefined },
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const isActive = new Set<string>();
  for (const name of await store.list('', { look: false })) {
    try {
      const { state, contributions } = (await readCouncil(ports, name)).council;
      isActive.add(state.conversationId);
      entries.push(...listCouncilEntries(state, [...contributions, ...findSealed(state, contributions)]));
    } catch (error) {
      // A council that cannot be read, or has just been archived, must not hide the others.
      if (!(error instanceof CouncilError)) throw error;
      app.note(`council "${name}": ${error.message}`);
    }
  }
  for (const meta of metas) {
    if (isActive.has(meta.conversationId)) continue;
    const isMeant = about !== undefined && [meta.name, meta.id].includes(about);
    const whole = isMeant ? (await findArchive(ports.archives, meta.path)).archive : undefined;
    entries.push(
      ...listCouncilEntries(
        { ...meta, ...(whole && { absences: whole.absences }) },
        whole?.contributions ?? [],
      ),
    );
  }
  return entries;
}

/** Returns who has spoken in an open sealed phase; their contributions are not in the document yet. */
const findSealed = (state: CouncilState, known: readonly ContributionMark[]): ContributionMark[] =>
  state.order.flatMap((by) => {
    const { status, lastAction: at } = getSeat(state, by);
    const isKnown = known.some((one) => one.by === by && one.tour === state.tour);
    return status === 'WAITING' || at === null || isKnown
      ? []
      : [{ by, at, phase: state.currentPhase, tour: state.tour }];
  });

function listCouncilEntries(
  { name, id, usage = [], absences = [], transitions }: CouncilHistory,
  said: readonly ContributionMark[],
): LogEntry[] {
  const from = COUNCIL;
  const formatRound = ({ phase, tour }: Pick<ContributionMark, 'phase' | 'tour'>): string =>
    `${phase} (round ${tour})`;
  const own = { council: name, ...(id !== undefined && { archive: id }) };
  const by = { ...own, to: COUNCIL };
  return [
    ...usage.flatMap(({ participant, at, ms, ok, cancelled, ...round }) => {
      const agent = { agent: participant, ...own, summary: formatRound(round) };
      const began = formatIso(Date.parse(at) - ms);
      const event = ok ? 'answered' : cancelled ? 'interrupted' : 'failed';
      return [
        buildLogEntry('launch', { ...agent, timestamp: began, event: 'begun', from, to: participant }),
        buildLogEntry('attempt', {
          ...{ ...agent, timestamp: at, event, from: participant, to: COUNCIL },
          status: event === 'failed' ? 'failed' : 'success',
        }),
      ];
    }),
    ...said.map((one) =>
      buildLogEntry('result', {
        ...{ ...by, timestamp: one.at, event: 'contributed', from: one.by, agent: one.by },
        summary: formatRound(one),
      }),
    ),
    ...absences.map((one) =>
      buildLogEntry('result', {
        ...{ ...by, timestamp: one.at, event: 'absent', from: one.participant, agent: one.participant },
        ...{ summary: formatRound(one), error: one.reason },
        status: one.reason === 'cancelled' ? 'success' : 'failed',
      }),
    ),
    ...transitions.map(({ from: phase, to, reason, tour, at }) =>
      buildLogEntry('result', {
        ...{ ...own, timestamp: at, event: to === 'ARCHIVED' ? 'archived' : 'closed', from, to: name },
        summary: `${formatRound({ phase, tour })}: ${reason}`,
      }),
    ),
  ];
}
