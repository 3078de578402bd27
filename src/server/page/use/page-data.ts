// Data access of the server's pages, besides calls: rendered councils, archives, channels, records, seatable agents.
import { basename } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { findArchive, listArchives } from '../../../core/archive/read.ts';
import type { ArchiveHeading } from '../../../core/archive/read.ts';
import { exportCouncil } from '../../../core/app/archives.ts';
import type { ExportInput } from '../../../core/app/input/archive.ts';
import { retryFields } from '../../../core/app/input/council.ts';
import type { RetryInput } from '../../../core/app/input/council.ts';
import { retry } from '../../../core/app/steer-council.ts';
import type { CouncilError } from '../../../core/base/errors.ts';
import { memoizeNewest } from '../../../core/base/memoize.ts';
import { listAlive } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import { pageDocument, listQuotedWords } from '../document.ts';
import { renderParts } from '../render.ts';
import type { PageParts } from '../render.ts';
import { choosePart } from '../parts.ts';
import type { AskedPart, ChoosePart } from '../parts.ts';
import { showWholeArchive } from '../seen-council.ts';
import { buildSeenSoFar } from '../active-council.ts';
import type { Archives } from '../../../core/store/archives.ts';
import { overrideApp } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import { readCouncil } from '../../../core/council/use/council-access.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { invite } from '../../access/open.ts';
import type { InviteResult } from '../../access/open.ts';
import { inviteFields } from '../../input.ts';
import type { InviteInput } from '../../input.ts';
import { requirePermission } from '../../../core/app/permissions.ts';
import { addSummary, findDeliberation } from '../../../core/app/find-deliberation.ts';
import type { Deliberation } from '../../../core/app/find-deliberation.ts';
import { hideDeliberationFolders } from '../../../core/app/hidden-folders.ts';
import { toCallerRefusal } from '../../remote/perform-call.ts';
import type { Caller, CallOutcome } from '../../remote/perform-call.ts';
import { findRecordedText } from '../../../core/app/view.ts';
import { findProjectFolderTrouble } from '../../../core/app/project-folder.ts';
import type { StoreTrouble } from '../../../core/store/availability.ts';
import { openWorkspace, openProjectHealth, loadAgents } from '../../../core/app/workspace.ts';
import { createEndingReader, createSeatFilter } from './archive-seats.ts';
import type { ArchiveEnding } from './archive-seats.ts';
import { formatTextsOnce } from './format-texts.ts';
import { readTrackRecords } from '../../../core/app/track-records.ts';
import { manageChannels } from '../../../team/messages/use/channel.ts';
import type { ListedChannel } from '../../../team/messages/use/channel.ts';
import type { MessageDocument } from '../../../team/messages/use/show-message.ts';
import { describeStandings } from '../../../team/tasks/use/task-documents.ts';
import type { PageWords } from '../words.ts';
import { formatRunnableKey } from '../../../core/agents/runnable-trust.ts';
import { reportCost } from '../../../core/app/ledger.ts';
import { findModes } from '../../../core/app/modes.ts';
import { listCouncilRunnables, createTrustChecks } from '../../../core/app/trust.ts';
import type { Health } from '../../../core/store/agent-health.ts';

export type { ArchiveHeading, Deliberation, ListedChannel };
export type ChannelMessage = MessageDocument;

const LISTED = { action: 'list', channel: undefined, limit: 1 } as const;

/** A filter for archives; empty fields are ignored. */
export interface ArchiveFilter {
  mode: string;
  status: string;
  participant: string;
  /** Days such as 2026-11-21, inclusive. */
  since: string;
  until: string;
}

export interface PageServices {
  project(): string;
  /**
   * Finds an active council, or else an archive, as this caller may see it. Throws `unknown_archive`; a seat finds
   * only the archive of its own council.
   */
  find(ref: string, caller: Caller | undefined): Promise<Deliberation>;
  /** Renders it: for an active council what everybody at its table may see, for a long one the requested part. */
  render(found: Deliberation, asked?: AskedPart): Promise<PageParts>;
  /** Returns the text of an archive in a format of `council export`. */
  exportText(archive: string, format: ExportInput['format'], caller: Caller | undefined): Promise<string>;
  /** Lists the archives that match a filter, newest first; for a seat only its own council's. */
  archives(filter: ArchiveFilter, caller: Caller | undefined): Promise<ArchiveHeading[]>;
  /** Returns the outcomes of these archives by id. */
  endings(rows: readonly ArchiveHeading[], w: PageWords): Promise<Map<string, ArchiveEnding>>;
  channels(caller: Caller | undefined): Promise<ListedChannel[]>;
  /** Returns a channel's newest messages, oldest first; null if there is no such channel. */
  channel(name: string, limit: number, caller: Caller | undefined): Promise<ChannelMessage[] | null>;
  /** Returns the standing of the tasks in these sessions by full name, in the language of `w`. */
  standings(sessions: ReadonlySet<string>, w: PageWords): Promise<ReadonlyMap<string, string>>;
  /** Returns the track records of participants in archived councils. */
  records(): ReturnType<typeof readTrackRecords>;
  /** Returns whether a heartbeat of any process moves councils on. */
  isBeating(): Promise<boolean>;
  /** Creates a person's link to a seat of an active council, or revokes it; also returns the council's language. */
  invite(
    asked: InviteInput & { name: string },
    caller: Caller | undefined,
  ): Promise<{ result: InviteResult; lang: Language }>;
  retry(asked: RetryInput & { name: string }, caller: Caller | undefined): Promise<void>;
  /** Returns the agents and modes for a new council. */
  seatable(): Promise<Seatable>;
  /** Returns the recorded text in the open round, even if sealed: only for that seat. Null if there is none. */
  findRecorded(name: string, participant: string): Promise<string | null>;
  /** Returns whether the project's folder is gone or was replaced. */
  away(): Promise<StoreTrouble | undefined>;
  /** Returns the error as this caller may see it. */
  refusal(caller: Caller, error: CouncilError): CallOutcome;
}

/** Cache time for whether a heartbeat is alive, as every page asks. */
const BEATING_MS = 3000;

export function createPageServices(app: App): PageServices {
  const endings = createEndingReader();
  const selectSeated = createSeatFilter();
  const beating = memoizeNewest<Promise<boolean>>(1);
  return {
    // Works even if the folder is gone, as the page that reports this shows its name.
    project: () => basename(app.root ?? app.cwd),
    away: () => findProjectFolderTrouble(app),
    isBeating: () =>
      beating(String(Math.floor(performance.now() / BEATING_MS)), async () => {
        const rows = await openWorkspace(app).keeping.heartbeats().list();
        return listAlive(rows).length > 0;
      }),
    async find(council, caller) {
      const found =
        caller?.ownArchive === undefined
          ? await findDeliberation(app, { council, name: undefined })
          : { archive: (await findArchive(openCallerArchives(app, caller), council)).archive };
      const whole = await addSummary(openWorkspace(app).ports, found);
      return hideDeliberationFolders(overrideApp(app, { caller }), whole);
    },
    async render(found, asked) {
      const choose: ChoosePart = (said, ledger) => choosePart(said, ledger, asked);
      const seen =
        'council' in found ? buildSeenSoFar(found.council, choose) : showWholeArchive(found, choose);
      const page = pageDocument(seen, await finishInPieces(listQuotedWords(seen)));
      return renderParts(page, await formatTextsOnce(page.texts), true);
    },
    exportText: async (archive, format, caller) =>
      (await exportCouncil(overrideApp(app, { caller }), { archive, format, output: undefined })).text,
    archives: (filter, caller) =>
      selectArchiveListings(openCallerArchives(app, caller), filter, selectSeated),
    endings: (rows, w) => endings(openWorkspace(app).ports.archives, rows, w),
    channels: async (caller) => {
      const { document } = await manageChannels(overrideApp(app, { caller }), LISTED);
      return 'channels' in document ? document.channels : [];
    },
    async channel(name, limit, caller) {
      const theirs = overrideApp(app, { caller });
      const { document: list } = await manageChannels(theirs, LISTED);
      if (!('channels' in list) || !list.channels.some((one) => one.name === name)) return null;
      const { document } = await manageChannels(theirs, { action: 'show', channel: name, limit });
      return 'messages' in document ? document.messages : null;
    },
    standings: (sessions, w) => describeStandings(app, sessions, w),
    records: () => readTrackRecords(openWorkspace(app).ports.archives),
    async invite(asked, caller) {
      const theirs = overrideApp(app, { caller });
      requirePermission(theirs, { name: 'invite', fields: inviteFields }, asked);
      const { ports } = openWorkspace(app);
      const { lang } = (await readCouncil(ports, asked.name)).council.state;
      return { result: await invite(theirs, asked), lang };
    },
    async retry(asked, caller) {
      const theirs = overrideApp(app, { caller });
      requirePermission(theirs, { name: 'retry', fields: retryFields }, asked);
      await retry(theirs, asked);
    },
    findRecorded: (name, participant) => findRecordedText(openWorkspace(app), name, participant),
    seatable: () => readSeatable(app),
    refusal: (caller, error) => toCallerRefusal(app, caller, error),
  };
}

/** Longest time (ms) to block the event loop. */
const AT_ONCE_MS = 10;

/** Lets the event loop serve others between the steps. */
async function finishInPieces<T>(pieces: Iterator<undefined, T>): Promise<T> {
  for (let until = performance.now() + AT_ONCE_MS; ;) {
    const one = pieces.next();
    if (one.done) return one.value;
    if (performance.now() <= until) continue;
    await turn();
    until = performance.now() + AT_ONCE_MS;
  }
}

const openCallerArchives = (app: App, caller: Caller | undefined): Archives =>
  openWorkspace(overrideApp(app, { caller })).ports.archives;

/** Filters archives. Seats are read only if the filter names a participant, since listing is faster without. */
async function selectArchiveListings(
  files: Archives,
  { mode, status, participant, since, until }: ArchiveFilter,
  selectSeated: ReturnType<typeof createSeatFilter>,
): Promise<ArchiveHeading[]> {
  const { archives } = await listArchives(files);
  const meant = archives.filter(
    (one) =>
      (mode === '' || one.mode === mode) &&
      (status === '' || one.status === status) &&
      (since === '' || one.endedAt.slice(0, 10) >= since) &&
      (until === '' || one.endedAt.slice(0, 10) <= until),
  );
  return participant === '' ? meant : selectSeated(files, meant, participant);
}

export interface Seatable {
  agents: {
    id: string;
    emoji: string;
    title: string;
    isPerson: boolean;
    /** What is launched: "claude · opus". */
    program: string;
    /** Its recent failures on this machine; null if the last launch succeeded. */
    health: Health | null;
    /** Comes with council: needs no model, and costs nothing. */
    isBuiltIn: boolean;
    /** Whether its owner has trusted it; true for a person. */
    isTrusted: boolean;
    /** US$ per launch in the last weeks; null if unknown. */
    costUsd: number | null;
  }[];
  modes: string[];
}

const LATELY_MS = 30 * 24 * 3_600_000;

/** Lists the seatable agents with their recent cost and what keeps them from running. */
async function readSeatable(app: App): Promise<Seatable> {
  const workspace = openWorkspace(app);
  const since = new Date(Date.now() - LATELY_MS).toISOString().slice(0, 10);
  const { rows } = (await reportCost(app, { council: undefined, by: 'agent', since })).document;
  const registry = await loadAgents(app, workspace);
  const waiting = createTrustChecks(app, workspace.project.root).listWaiting(
    listCouncilRunnables(registry.list(), null),
  );
  const health = await openProjectHealth(workspace).read();
  const untrusted = new Set(waiting.map(({ key }) => formatRunnableKey(key)));
  return {
    agents: registry.list().map(({ id, emoji, title, runner, model, command, source }) => {
      const spent = rows.find(({ key }) => key === id);
      const known = spent && spent.costUsd !== null && spent.launches > 0;
      return {
        id,
        emoji,
        title,
        isPerson: runner === 'human',
        program: [runner === 'command' ? (command[0] ?? runner) : runner, model ?? []].flat().join(' · '),
        health: (Object.hasOwn(health, id) ? health[id] : undefined) ?? null,
        isBuiltIn: source === 'built-in',
        isTrusted: !untrusted.has(id),
        costUsd: known ? spent.costUsd! / spent.launches : null,
      };
    }),
    modes: findModes(workspace.project).map(({ name }) => name),
  };
}
