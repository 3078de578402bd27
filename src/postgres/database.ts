// Finds the database that keeps a project, and provides the project's ports in it.
import { join } from 'node:path';
import { CouncilError, ignoreRefusal } from '../core/base/errors.ts';
import { readState } from '../core/council/document/document.ts';
import { findHumanWait } from '../core/council/machine/launches.ts';
import type { HandEdits } from '../core/store/documents.ts';
import { archiveFacts } from '../core/store/file/archive-facts.ts';
import { openPrivateDir } from '../core/store/file/private-dir.ts';
import { readTextFile } from '../core/store/local/project.ts';
import type { Project } from '../core/store/local/project.ts';
import { requireArchivePath } from '../core/store/names.ts';
import { deferStore } from './store/deferred.ts';
import type { PostgresStore } from './store/open.ts';
import { parseDatabaseAddress } from './store/place.ts';
import type { DatabasePlace } from './store/place.ts';
import type { TextFacts } from './store/commit.ts';
import { nameUserAndHost } from '../core/app/app.ts';
import { extractConversationId } from '../core/app/storage/ports.ts';
import type { StoragePorts, StorageApp } from '../core/app/storage/ports.ts';
import { cutFrontMatter } from '../core/base/front-matter-block.ts';

/** Connections per process: a command needs one, a tick plays several councils, a server has many callers. */
const CONNECTIONS = { cli: 1, tick: 2, mcp: 8, api: 8 };

/** The stores opened by this process: all its use cases share the connections. */
const opened = new Map<string, Promise<PostgresStore>>();
const times = new Map<string, () => number>();

/** A separate file in dist/, which projects in files never load. */
const importDriver = () => import('./store/open.ts');

/** Opens the database of a project; returns undefined for a project in files. Throws `invalid_config`. */
export function openDatabase(app: StorageApp, project: Project): StoragePorts | undefined {
  const named = findProjectDatabase(app.env, project);
  return named && createDatabaseKeeping(app, project, named);
}

/** `answerMs` is the query timeout; 0 for none. */
export function createDatabaseKeeping(
  app: StorageApp,
  project: Project,
  { place, direct }: NamedDatabase,
  answerMs?: number,
): StoragePorts {
  const via = app.via ?? 'cli';
  const key = JSON.stringify([place.url, place.schema, direct.url]);
  const open = (): Promise<PostgresStore> => {
    const already = opened.get(key);
    if (already) return already;
    // For a server this names the process: its callers are recorded in what they change.
    const actor = `${nameUserAndHost()} via ${via}`;
    const options = {
      place,
      direct,
      size: CONNECTIONS[via],
      answerMs,
      actor,
      readFacts: extractCouncilFacts,
      readConversation: extractConversationId,
    };
    const opening = importDriver().then(({ openPostgres }) => openPostgres(options));
    opened.set(key, opening);
    opening.then(
      ({ database }) => times.set(key, database.now),
      () => opened.delete(key),
    );
    return opening;
  };
  const ports = deferStore(open, {
    displayName: place.displayName,
    local: openPrivateDir({ env: app.env, projectRoot: project.root }),
    archives: {
      dir: 'conseils',
      facts: archiveFacts(project.root, app.env),
      absolute: (path) => `${place.displayName}/${requireArchivePath(path)}`,
      getPulledPath: (path) => join(project.root, requireArchivePath(path)),
    },
  });
  return {
    ...ports,
    councils: () => ({ store: ports.documents('council'), edits: createEmptyHandEdits(place.displayName) }),
    mayHold: () => true,
    clock: { now: () => requireStoreTime(key, place.displayName), clocks: () => undefined },
    ready: async () => void (await open()),
    findTrouble: async () => (await importDriver()).findServerTrouble(place),
    release: () =>
      void importDriver().then(({ findSockets }) =>
        [place, direct].forEach((one) => findSockets(one).close()),
      ),
  };
}

function requireStoreTime(key: string, displayName: string): number {
  const now = times.get(key);
  if (now) return now();
  throw new CouncilError('failed', `The time of ${displayName} was asked for before it was read.`, {
    hint: 'This is a bug in council. Please report it.',
  });
}

/** A database has no files that could be edited by hand. */
const createEmptyHandEdits = (displayName: string): HandEdits => ({
  projectionPath: (key) => `${displayName}/council-${key}`,
  isEdited: () => Promise.resolve(false),
  holdsState: () => Promise.resolve(false),
  editedText: () => Promise.resolve(undefined),
  dropEdit: () => Promise.resolve(undefined),
  branches: () => Promise.resolve([]),
});

/** Returns the facts stored next to a council in the database; none if the text is not a council. */
function extractCouncilFacts(text: string): TextFacts {
  const state = ignoreRefusal(() => readState(text, ''));
  if (!state) return {};
  const { conversationId: conversation, currentPhase: phase, closing } = state;
  const waiting = findHumanWait(state);
  return {
    conversation,
    phase,
    ...(closing && { archive: closing.path }),
    ...(waiting && { dueAt: waiting.dueAt, waits: JSON.stringify(waiting) }),
  };
}

/** The database of a project, and its address for LISTEN. */
interface NamedDatabase {
  place: DatabasePlace;
  direct: DatabasePlace;
}

/** Inline YAML, { … }: not supported for `store`, and reported as an error. */
const INLINE = /^\s*\{[^]*\bstore\b/;
const HINT = 'Expected: store: files, or store: postgres://user@host:5432/database?schema=my_project';

/**
 * Finds the configured database; undefined for a project in files. Throws `invalid_config`, never with a
 * password.
 */
export function findProjectDatabase(env: NodeJS.ProcessEnv, project: Project): NamedDatabase | undefined {
  const given = env.COUNCIL_DATABASE_URL;
  const place = given
    ? parseDatabaseAddress(given, 'the environment variable COUNCIL_DATABASE_URL', { secret: true })
    : readSettingsPlace(project.councilFile);
  if (!place) return undefined;
  const listen = env.COUNCIL_DATABASE_LISTEN_URL;
  const direct = listen
    ? parseDatabaseAddress(listen, 'the environment variable COUNCIL_DATABASE_LISTEN_URL', { secret: true })
    : place;
  return { place, direct };
}

/** Every command calls this, so it reads one line without parsing YAML. */
function readSettingsPlace(path: string): DatabasePlace | undefined {
  const yaml = cutFrontMatter(readSettingsText(path))?.yaml ?? '';
  const found = INLINE.test(yaml) ? '|' : /^(?:store|"store"|'store')[ \t]*:(.*)$/m.exec(yaml)?.[1];
  if (found === undefined) return undefined;
  const value = parsePlainScalar(found.trim());
  if (value === 'files' || value === '') return undefined;
  if (value?.startsWith('postgres'))
    return parseDatabaseAddress(value, `${path}: "store"`, { secret: false });
  throw new CouncilError(
    'invalid_config',
    `${path}: "store" names no place that council can keep a project in.`,
    {
      hint: HINT,
    },
  );
}

/** Unreadable settings name no database: commands that need the settings report it; doctor and status continue. */
const readSettingsText = (path: string): string =>
  ignoreRefusal(() => readTextFile(path), 'not_a_file', 'too_large', 'invalid_text') ?? '';

/** Parses a one-line value, quoted or not, without a trailing comment; undefined for anything else. */
const parsePlainScalar = (value: string): string | undefined =>
  /^(?:"([^"\\]*)"|'([^']*)'|([^"'\s#][^\s]*)?)(?:\s+#.*|#.*)?$/
    .exec(value)
    ?.slice(1, 4)
    .find((one) => one !== undefined) ?? (/^(?:#.*)?$/.test(value) ? '' : undefined);
