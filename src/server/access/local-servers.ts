// Servers on this machine: records a running one, finds it, and starts one.
import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CouncilError, getSystemCode } from '../../core/base/errors.ts';
import { findPackageDir, measureFileAge } from '../../core/store/local/project.ts';
import { identifyThisProcess, isAlive } from '../../core/store/local/liveness.ts';
import type { App } from '../../core/app/app.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { hashOfferedCode, OFFER_PATH, signOffer } from './sign-in-code.ts';
import { sha256 } from '../../core/base/ids.ts';
import { readJsonDocument } from '../../core/store/documents.ts';
import { listFolderNames, unlinkIfThere, writeNew } from '../../core/store/local/disk.ts';
import type { ProcessIdentity } from '../../core/store/local/liveness.ts';
import { readBytes } from '../../core/store/local/read.ts';
import { replaceFile } from '../../core/store/local/temps.ts';
import type { OwnerPlace } from '../../core/store/file/owner-folder.ts';
import { openOwnerFolder } from '../../core/store/file/owner-folder.ts';
import { OWNER_ONLY, getPrivateRoot } from '../../core/store/file/private-dir.ts';

/** Records that this process serves the project; returns a function that removes the record. */
export function recordServing(
  app: App,
  { url, publicUrl, secret }: Omit<ServingRecord, 'process' | 'since'>,
): () => void {
  const records = openServingRecords(app, openWorkspace(app));
  records.write({ url, publicUrl, secret, process: identifyThisProcess(), since: Date.now() });
  return () => records.remove(secret);
}

/** Lists the recorded servers of this project on this machine, newest first. */
export const findServing = (app: App, workspace: Workspace): ServingRecord[] =>
  openServingRecords(app, workspace).list();

export const formatKillCommand = (pid: number): string =>
  platform() === 'win32' ? `taskkill /PID ${pid}` : `kill ${pid}`;

/** Adds to a listen error that a server of this project already uses the port, and what to do. */
export function withOwnServer(app: App, port: number, error: unknown): unknown {
  if (!(error instanceof CouncilError) || getSystemCode(error.cause) !== 'EADDRINUSE') return error;
  const own = findServing(app, openWorkspace(app)).find(({ url }) => new URL(url).port === String(port));
  if (!own) return error;
  const { url, process } = own;
  return new CouncilError(
    'io',
    `${error.message} A server of this project is there already: process ${process.pid}, at ${url}.`,
    {
      hint: `Open its pages: council open. End it: ${formatKillCommand(process.pid)}. Another port: council serve --port 0`,
      cause: error,
    },
  );
}

/** Registers a one-time code with the server. Returns false if it is not running or does not know the secret. */
export async function offerSignInCode({ url, secret }: ServingRecord, code: string): Promise<boolean> {
  const offer = { hash: hashOfferedCode(code), at: Date.now() };
  const proof = signOffer(secret, 'offered', url, offer);
  try {
    const answer = await fetch(url + OFFER_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...offer, proof }),
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    });
    const told = (await answer.json()) as { proof?: unknown };
    return answer.ok && told.proof === signOffer(secret, 'taken', url, offer);
  } catch {
    // Not running, or another program uses this port.
    return false;
  }
}

const START_MS = 30_000;
const PORTS = ['7333', '0'];

/** Starts a server with a heartbeat that outlives this command. Throws `failed` if it does not come up. */
export async function startServing(app: App, workspace: Workspace): Promise<ServingRecord> {
  for (const port of PORTS) {
    const started = await startServer(app, workspace, port);
    if (started) return started;
  }
  throw new CouncilError('failed', 'The server did not start.', {
    hint: 'See why: council serve --heartbeat',
  });
}

/** Starts a server on this port; returns undefined if it exits or does not come up in time. */
async function startServer(app: App, workspace: Workspace, port: string): Promise<ServingRecord | undefined> {
  const args = [join(findPackageDir(), 'dist', 'council.js'), 'serve', '--heartbeat', '--port', port];
  const child = spawn(process.execPath, args, {
    cwd: workspace.project.root,
    env: app.env,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.unref();
  const deadline = performance.now() + START_MS;
  let hasEnded = false;
  child.once('error', () => (hasEnded = true)).once('exit', () => (hasEnded = true));
  const isOver = (): boolean => hasEnded || performance.now() > deadline || app.interruption().aborted;
  while (!isOver()) {
    const found = findServing(app, workspace).find((one) => one.process.pid === child.pid);
    if (found) return found;
    await delay(50);
  }
  if (!hasEnded) child.kill();
  return undefined;
}

export interface ServingRecord {
  url: string;
  /** The server's address for people elsewhere. */
  publicUrl: string | null;
  secret: string;
  process: ProcessIdentity;
  /** Milliseconds since the epoch. */
  since: number;
}

const LONGEST = 16 * 1024;

/**
 * Stores records in `$XDG_STATE_HOME/council/serving/<project>-<server>.json`, mode 0600. All calls throw
 * `unsafe_private_dir`, `io`.
 */
function openServingRecords(
  { env }: Pick<App, 'env'>,
  { project: { root: projectRoot } }: Pick<Workspace, 'project'>,
) {
  const { dir, temps, project, makeFolder, isThere } = openOwnerFolder({ env, projectRoot }, 'serving');
  const getPath = (secret: string): string => join(dir, `${project()}-${sha256(secret).slice(0, 16)}.json`);
  const read = (path: string): ServingRecord | undefined => {
    const bytes = readBytes(path, { limit: LONGEST, links: 'refuse' });
    const record = bytes && parseServingRecord(readJsonDocument(bytes.toString('utf8')));
    if (!record || isAlive(record.process) !== false) return record;
    unlinkIfThere(path);
    return undefined;
  };
  return {
    /** Lists this project's running servers on this machine, newest first. Deletes the records of ended ones. */
    list(): ServingRecord[] {
      if (!isThere(dir)) return [];
      const ours = listFolderNames(dir).filter(
        (name) => name.startsWith(project()) && name.endsWith('.json'),
      );
      const records = ours.flatMap((name) => read(join(dir, name)) ?? []);
      return records.toSorted((a, b) => b.since - a.since);
    },
    write(record: ServingRecord): void {
      makeFolder(dir);
      // Need not survive a power failure, which ends the process, too.
      replaceFile(temps, getPath(record.secret), Buffer.from(JSON.stringify(record)), false);
    },
    remove: (secret: string) => unlinkIfThere(getPath(secret)),
  };
}

function parseServingRecord(read: Record<string, unknown>): ServingRecord | undefined {
  const { url, publicUrl, secret, process, since } = read;
  if (typeof url !== 'string' || typeof secret !== 'string') return undefined;
  if (typeof process !== 'object' || process === null) return undefined;
  return {
    url,
    publicUrl: typeof publicUrl === 'string' ? publicUrl : null,
    secret,
    process: process as ProcessIdentity,
    since: typeof since === 'number' ? since : 0,
  };
}

const KIND = 'open';

/** Writes a page that redirects, mode 0600, and returns its path. `name` must be new. */
export function writeHandoverPage(place: OwnerPlace, name: string, page: string): string {
  const { dir, makeFolder } = openOwnerFolder(place, KIND);
  const path = join(makeFolder(dir), `${name}.html`);
  writeNew(path, Buffer.from(page), { mode: OWNER_ONLY.fileMode, durable: false });
  return path;
}

/** Deletes old pages, whose targets ended long ago. */
export function sweepHandoverPages(env: NodeJS.ProcessEnv, olderThanMs: number): void {
  const dir = join(getPrivateRoot(env), KIND);
  for (const name of listFolderNames(dir))
    if (/^[0-9a-f]{32}\.html$/.test(name) && measureFileAge(join(dir, name)) > olderThanMs)
      unlinkIfThere(join(dir, name));
}
