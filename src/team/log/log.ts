// Use case `log`: what happened in the project, in the order of time.
import { setTimeout as delay } from 'node:timers/promises';
import { CouncilError } from '../../core/base/errors.ts';
import { readEntry } from '../messages/log-entry-schema.ts';
import type { Entry } from '../messages/log-entry-schema.ts';
import { logLine } from '../messages/log-entry.ts';
import { formatUtcDay } from '../../core/store/small-files.ts';
import { sessionOfChannel } from '../tasks/task.ts';
import { openAuditTrail } from '../ports.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { LogInput } from '../input/messages.ts';
import { openDayLog } from '../messages/use/announcer.ts';
import { sinceWhen } from '../messages/use/inbox.ts';
import { findTaskName } from '../tasks/use/find.ts';
import { openTaskStore } from '../tasks/use/ports.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { isWanted, toLogEntry, buildLogEntry, listAudited, taskEntries } from './log-entry.ts';
import type { LogEntry } from './log-entry.ts';
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { archiveMetas, findArchive } from '../../core/archive/read.ts';
import { iso } from '../../core/base/clock.ts';
import { channelOfCouncil, COUNCIL } from '../messages/channel.ts';
import { seat } from '../../core/council/state/state.ts';
import type { Contribution, CouncilState } from '../../core/council/state/state.ts';
import { readCouncil } from '../../core/council/use/update-council.ts';

export { logLine };
export type { LogEntry };

interface LogDocument {
  /** The newest, the oldest of them first. */
  entries: LogEntry[];
  /** True when there are older ones that were asked for too. */
  more: boolean;
}

/** How often `--follow` looks at tasks and councils again. */
const LOOK_MS = 1000;

/** The newest entries of the log. To follow it is no one document. */
export async function log(app: App, input: LogInput): Promise<Result<LogDocument>> {
  if (input.follow)
    throw new CouncilError('usage', '--follow prints a stream, not one document.', {
      hint: 'For one object a line: council log --follow --format json',
    });
  return { document: await findNewest(app, input) };
}

/** Shows the newest entries, then each new one, until it is interrupted. */
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
      await delay(LOOK_MS, undefined, { signal: soon }).catch(() => undefined);
      more = new AbortController();
    }
  } finally {
    stop();
  }
}

async function findNewest(app: App, input: LogInput): Promise<LogDocument> {
  const workspace = openWorkspace(app);
  const { since, limit } = input;
  const start = since === undefined ? undefined : sinceWhen(since, app.startedAt);
  const about = await findAbout(app, workspace, input.about);
  const { metas } = await archiveMetas(workspace.ports.archives);
  const ofArchive = findChannelTime(metas, about);
  const isMeant = (entry: LogEntry): boolean => isWanted(entry, { ...input, about, start });
  const isEnough = (found: readonly LogEntry[]): boolean => found.filter(isMeant).length > limit;
  const reading = [
    messageEntries(app, { start, limit, isMeant, ofArchive }),
    taskEntries(app, workspace, isEnough),
    approvalEntries(app, workspace),
    councilEntries(app, workspace, { metas, about }),
  ];
  const all = (await Promise.all(reading)).flat().filter(isMeant);
  const sorted = all.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  return { entries: sorted.slice(-limit), more: sorted.length > limit };
}

interface MessageQuery {
  start: number | undefined;
  limit: number;
  isMeant(entry: LogEntry): boolean;
  /** Names the archive in the messages of its council. */
  ofArchive(entry: LogEntry): LogEntry;
}

/** Names the archive that is asked about: a channel goes by the name of its council, and the next one of that name has it as well. */
function findChannelTime(
  metas: readonly ArchiveMeta[],
  about: string | undefined,
): MessageQuery['ofArchive'] {
  const meant = metas.find(({ id }) => id === about);
  if (!meant) return (entry) => entry;
  const { name, id: archive, startedAt } = meant;
  const later = metas.filter((one) => one.name === name && one.startedAt > startedAt);
  const end = later.reduce((first, one) => (one.startedAt < first ? one.startedAt : first), '\uFFFF');
  const isIts = ({ channel, timestamp }: LogEntry): boolean =>
    channel === channelOfCouncil(name) && timestamp >= startedAt && timestamp < end;
  return (entry) => (isIts(entry) ? { ...entry, archive } : entry);
}

/** The newest entries of the log of messages, the oldest first, with one more where there are older ones. */
async function messageEntries(
  app: App,
  { start, limit, isMeant, ofArchive }: MessageQuery,
): Promise<LogEntry[]> {
  const from = start === undefined ? {} : { from: formatUtcDay(start) };
  const entries: LogEntry[] = [];
  for await (const line of openDayLog(app, openWorkspace(app)).read({ newest: true, ...from })) {
    const entry = readEntry(line);
    const named = entry && !isOfExchange(entry) ? ofArchive(toLogEntry(entry)) : undefined;
    if (named && isMeant(named)) entries.push(named);
    if (entries.length > limit) break;
  }
  return entries.reverse();
}

/** Messages about tasks are read from the tasks instead, which keep every one of them. */
const isOfExchange = ({ event, task, channel }: Entry): boolean =>
  event === 'stored' && task !== undefined && sessionOfChannel(channel) !== undefined;

async function approvalEntries(app: App, workspace: Workspace): Promise<LogEntry[]> {
  const { text } = await openAuditTrail(app, workspace).verify();
  return listAudited(text).flatMap(({ told }) => (told.kind === 'approval' ? [told] : []));
}

/** What the caller asks about; a task by its whole name. Throws `usage` where several tasks have that id. */
export const findAbout = async (
  app: App,
  workspace: Workspace,
  about: string | undefined,
): Promise<string | undefined> =>
  about !== undefined && /^(?:S[a-z0-9]+[/:])?T\d/i.test(about)
    ? findTaskName(openTaskStore(app, workspace), about)
    : about;

// What councils tell the log: launches and how they ended, contributions, absences, and phases that closed.

/** What both a state and an archive say; of absences an archive's front matter does not. */
type Past = Pick<CouncilState, 'name' | 'transitions'> &
  Partial<Pick<CouncilState, 'usage' | 'absences'>> & { id?: string };
type ContributionMark = Pick<Contribution, 'by' | 'phase' | 'tour' | 'at'>;

/** Of all councils; of archives the contributions only where `about` names one, because each is read whole for that. */
async function councilEntries(
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
      // One that cannot be read, or was archived since, hides no other.
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

/** Who has spoken in an open phase that is sealed; what they said has no place in the document yet. */
const findSealed = (state: CouncilState, known: readonly ContributionMark[]): ContributionMark[] =>
  state.order.flatMap((by) => {
    const { status, lastAction: at } = seat(state, by);
    const isKnown = known.some((one) => one.by === by && one.tour === state.tour);
    return status === 'WAITING' || at === null || isKnown
      ? []
      : [{ by, at, phase: state.currentPhase, tour: state.tour }];
  });

function listCouncilEntries(
  { name, id, usage = [], absences = [], transitions }: Past,
  said: readonly ContributionMark[],
): LogEntry[] {
  const from = COUNCIL;
  const roundOf = ({ phase, tour }: Pick<ContributionMark, 'phase' | 'tour'>): string =>
    `${phase} (round ${tour})`;
  const own = { council: name, ...(id !== undefined && { archive: id }) };
  const by = { ...own, to: COUNCIL };
  return [
    ...usage.flatMap(({ participant, at, ms, ok, cancelled, ...round }) => {
      const agent = { agent: participant, ...own, summary: roundOf(round) };
      const began = iso(Date.parse(at) - ms);
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
        summary: roundOf(one),
      }),
    ),
    ...absences.map((one) =>
      buildLogEntry('result', {
        ...{ ...by, timestamp: one.at, event: 'absent', from: one.participant, agent: one.participant },
        ...{ summary: roundOf(one), error: one.reason },
        status: one.reason === 'cancelled' ? 'success' : 'failed',
      }),
    ),
    ...transitions.map(({ from: phase, to, reason, tour, at }) =>
      buildLogEntry('result', {
        ...{ ...own, timestamp: at, event: to === 'ARCHIVED' ? 'archived' : 'closed', from, to: name },
        summary: `${roundOf({ phase, tour })}: ${reason}`,
      }),
    ),
  ];
}
