// What the pages of a server look at beyond what calls tell: councils as they are drawn, and lists of archives.
import { basename } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { archiveMetas, findArchive, listArchives } from '../../../core/archive/read.ts';
import type { ArchiveHeading } from '../../../core/archive/read.ts';
import { exportCouncil } from '../../../core/app/archives.ts';
import type { ExportInput } from '../../../core/app/input/archive.ts';
import type { CouncilError } from '../../../core/base/errors.ts';
import { rememberingNewest } from '../../../core/base/memoize.ts';
import { alive } from '../../../core/heartbeat/launch/heartbeat-row.ts';
import { pageDocument, listQuotedWords } from '../document.ts';
import { renderParts } from '../render.ts';
import type { PageParts } from '../render.ts';
import { roundsShown, showWholeArchive } from '../seen.ts';
import type { ChooseRounds } from '../seen.ts';
import { seenSoFar } from '../so-far.ts';
import type { Archives } from '../../../core/store/archives.ts';
import { overrideApp } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import { readCouncil } from '../../../core/council/use/update-council.ts';
import type { Language, Words } from '../../../core/base/words/words.ts';
import { invite } from '../../access/open.ts';
import type { InviteResult } from '../../access/open.ts';
import { inviteFields } from '../../input.ts';
import type { InviteInput } from '../../input.ts';
import { requirePermission } from '../../../core/app/permissions.ts';
import { addSummary, findDeliberation } from '../../../core/app/find-deliberation.ts';
import type { Deliberation } from '../../../core/app/find-deliberation.ts';
import { hideDeliberationFolders } from '../../../core/app/hidden-folders.ts';
import { toCallerRefusal } from '../../remote/perform-call.ts';
import type { Caller, Done } from '../../remote/perform-call.ts';
import { findRecordedText } from '../../../core/app/view.ts';
import { judgeProjectFolder } from '../../../core/app/store-trouble.ts';
import type { StoreTrouble } from '../../../core/app/store-trouble.ts';
import { agentHealth, openWorkspace, loadAgents } from '../../../core/app/workspace.ts';
import { createEndingReader } from './archive-endings.ts';
import type { ArchiveEnding } from './archive-endings.ts';
import { formattedOnce } from './format-texts.ts';
import { cost } from '../../../core/app/cost.ts';
import { formatRunnableKey } from '../../../core/agents/runnable-trust.ts';
import { readTrackRecords } from '../../../core/app/track-records.ts';
import { findModes } from '../../../core/app/modes.ts';
import type { Health } from '../../../core/store/agent-health.ts';
import { listCouncilRunnables, createTrustChecks } from '../../../core/app/trust.ts';

export type { ArchiveHeading, Deliberation };

/** Which archives are meant; what is empty does not count. */
export interface ArchiveFilter {
  mode: string;
  status: string;
  participant: string;
  /** Days such as 2026-11-21, both included. */
  since: string;
  until: string;
}

export interface Looks {
  /** The name of the project's folder. */
  project(): string;
  /**
   * What a name means, as its caller is told it: an active council, else an archive. Throws `unknown_archive`: to a seat, whatever is
   * not the archive of its own council is not there.
   */
  find(ref: string, caller: Caller | undefined): Promise<Deliberation>;
  /** It, drawn; of a council that goes on what everybody at its table may see, of a long one the rounds from that one on. */
  draw(found: Deliberation, round?: number): Promise<PageParts>;
  /** The text of an archive in a format of `council export`. */
  exportText(archive: string, format: ExportInput['format'], caller: Caller | undefined): Promise<string>;
  /** The archives that a filter leaves, newest first; to a seat that of its own council. */
  archives(filter: ArchiveFilter, caller: Caller | undefined): Promise<ArchiveHeading[]>;
  /** What these came to, by id. */
  endings(rows: readonly ArchiveHeading[], w: Words): Promise<Map<string, ArchiveEnding>>;
  /** How those who sat in archived councils did. */
  records(): ReturnType<typeof readTrackRecords>;
  /** Whether something moves councils on by itself, in this process or in another one. */
  isBeating(): Promise<boolean>;
  /** A link for a person of a council that goes on, or taking back what opens that seat; and the council's language. */
  invite(
    asked: InviteInput & { name: string },
    caller: Caller | undefined,
  ): Promise<{ result: InviteResult; lang: Language }>;
  /** Who and what a new council can be made of. */
  seatable(): Promise<Seatable>;
  /**
   * Text that the participant has recorded in the open round, unchanged, even if sealed: only for
   * that seat. Null if there is none.
   */
  recorded(name: string, participant: string): Promise<string | null>;
  /** Whether the folder of the project has gone, or another one stands there. */
  away(): Promise<StoreTrouble | undefined>;
  /** The error as this caller may see it. */
  refusal(caller: Caller, error: CouncilError): Done;
}

/** So long it is remembered whether something beats: every page asks. */
const BEATING_MS = 3000;

export function createPageLooks(app: App): Looks {
  const endings = createEndingReader();
  const beating = rememberingNewest<Promise<boolean>>(1);
  return {
    // Also where the folder is gone: the page that says so has its name.
    project: () => basename(app.root ?? app.cwd),
    away: () => judgeProjectFolder(app),
    isBeating: () =>
      beating(String(Math.floor(performance.now() / BEATING_MS)), async () => {
        const rows = await openWorkspace(app).keeping.heartbeats().list();
        return alive(rows).length > 0;
      }),
    async find(council, caller) {
      const found =
        caller?.ownArchive === undefined
          ? await findDeliberation(app, { council, name: undefined })
          : { archive: (await findArchive(openCallerArchives(app, caller), council)).archive };
      const whole = await addSummary(openWorkspace(app).ports, found);
      return hideDeliberationFolders(overrideApp(app, { caller }), whole);
    },
    async draw(found, round) {
      const choose: ChooseRounds = (said) => roundsShown(said, round);
      const seen = 'council' in found ? seenSoFar(found.council, choose) : showWholeArchive(found, choose);
      const page = pageDocument(seen, await finishInPieces(listQuotedWords(seen)));
      return renderParts(page, await formattedOnce(page.texts), true);
    },
    exportText: async (archive, format, caller) =>
      (await exportCouncil(overrideApp(app, { caller }), { archive, format, output: undefined })).text,
    archives: (filter, caller) => selectArchiveListings(openCallerArchives(app, caller), filter),
    endings: (rows, w) => endings(openWorkspace(app).ports.archives, rows, w),
    records: () => readTrackRecords(openWorkspace(app).ports.archives),
    async invite(asked, caller) {
      const theirs = overrideApp(app, { caller });
      requirePermission(theirs, { name: 'invite', fields: inviteFields }, asked);
      const { ports } = openWorkspace(app);
      const { lang } = (await readCouncil(ports, asked.name)).council.state;
      return { result: await invite(theirs, asked), lang };
    },
    recorded: (name, participant) => findRecordedText(openWorkspace(app), name, participant),
    seatable: () => seatable(app),
    refusal: (caller, error) => toCallerRefusal(app, caller, error),
  };
}

/** Longest time (ms) to block the event loop. */
const AT_ONCE_MS = 10;

/** Others are served between the pieces. */
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

/**
 * Filters archives. Participants are read only if the filter names one, because listing is faster
 * without.
 */
async function selectArchiveListings(files: Archives, filter: ArchiveFilter): Promise<ArchiveHeading[]> {
  const { mode, status, participant, since, until } = filter;
  const isMeant = (one: ArchiveHeading): boolean =>
    (mode === '' || one.mode === mode) &&
    (status === '' || one.status === status) &&
    (since === '' || one.endedAt.slice(0, 10) >= since) &&
    (until === '' || one.endedAt.slice(0, 10) <= until);
  if (participant === '') return (await listArchives(files)).archives.filter(isMeant);
  const sat = participant.toLowerCase();
  return (await archiveMetas(files)).metas.filter(
    (meta) =>
      isMeant(meta) &&
      (meta.coordinator === sat ||
        meta.participants.some(({ id, title }) => id === sat || title.toLowerCase().includes(sat))),
  );
}

// Who and what a new council can be made of: the agents with what a launch of theirs cost lately, and the modes.

export interface Seatable {
  agents: {
    id: string;
    emoji: string;
    title: string;
    isPerson: boolean;
    /** What is launched: "claude · opus". */
    program: string;
    /** How its last launches went on this machine; null where the last one went well. */
    health: Health | null;
    /** One that comes with council: it needs no model, and costs nothing. */
    isBuiltIn: boolean;
    /** Whether its owner has said that it may run; true for a person. */
    isTrusted: boolean;
    /** US$ per launch in the last weeks; null if unknown. */
    costUsd: number | null;
  }[];
  modes: string[];
}

const LATELY_MS = 30 * 24 * 3_600_000;

async function seatable(app: App): Promise<Seatable> {
  const workspace = openWorkspace(app);
  const since = new Date(Date.now() - LATELY_MS).toISOString().slice(0, 10);
  const { rows } = (await cost(app, { council: undefined, by: 'agent', since })).document;
  const registry = await loadAgents(app, workspace);
  const waiting = createTrustChecks(app, workspace.project.root).waiting(
    listCouncilRunnables(registry.list(), null),
  );
  const health = await agentHealth(workspace).read();
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
