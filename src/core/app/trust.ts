// The owner's trust in what a project runs: looking it up, asking for it and recording it.
import { sep, join } from 'node:path';
import {
  formatRunnableKey,
  findTrustProblem,
  notifyRunnable,
  buildAgentRunnable,
} from '../agents/runnable-trust.ts';
import type { TrustProblem, Runnable } from '../agents/runnable-trust.ts';
import type { Agent } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { formatIso } from '../base/clock.ts';
import { CouncilError } from '../base/errors.ts';
import { isYes } from '../base/words/words.ts';
import { toOneLine } from '../base/text.ts';
import { hasProjectFiles, isClone } from '../store/local/git.ts';
import { isProject, readTextFile } from '../store/local/project.ts';
import { systemClock } from '../store/local/system.ts';
import { trustBook } from '../store/file/trust-book.ts';
import type { TrustBook } from '../store/file/trust-book.ts';
import type { App } from './app.ts';
import { AGENT_FOLDERS } from './load-agents.ts';
import type { PlannedFiles } from './load-agents.ts';
import { readMcpServers, buildServerRunnable } from '../agents/mcp-servers.ts';
import type { McpServer } from '../agents/mcp-servers.ts';

/** A program that would run but is not trusted in its current form. */
export interface UntrustedRunnable extends Runnable {
  news: TrustProblem;
}

/** Checks of what the owner trusts in one project. */
export interface ProjectTrust {
  book: TrustBook;
  /**
   * Whether what lies here is this user's work: they prepared the folder, and it has no git remote, which brings in the work
   * of others.
   */
  isOwn(): boolean;
  /** Whether this user prepared the folder, or would by holding a council in one that holds nothing from elsewhere. */
  isPrepared(): boolean;
  mayRun(what: Runnable): boolean;
  /** Lists programs that may not run, each with the reason. */
  listWaiting(items: Runnable[]): UntrustedRunnable[];
  grant(items: Runnable[], options?: { prepared: boolean }): void;
}

export function createTrustChecks(app: Pick<App, 'env'>, root: string): ProjectTrust {
  const book = trustBook({ env: app.env, root });
  const checkTrust = (what: Runnable): TrustProblem | undefined =>
    // If no trust is needed, nothing is read.
    what.needs === 'nothing'
      ? undefined
      : findTrustProblem(what, {
          project: book.project() !== undefined,
          sha256: book.find(what.key)?.sha256,
        });
  const isPrepared = (): boolean => book.project()?.prepared === true || isUntouched(root);
  return {
    book,
    isOwn: () => isPrepared() && !isClone(root),
    isPrepared,
    mayRun: (what) => checkTrust(what) === undefined,
    listWaiting: (items) =>
      items.flatMap((what) => {
        const why = checkTrust(what);
        return why === undefined ? [] : [{ ...what, news: why }];
      }),
    grant: (items, { prepared } = { prepared: false }) =>
      book.grant(
        items.filter(({ needs }) => needs === 'word'),
        formatIso(systemClock.now()),
        prepared,
      ),
  };
}

/** Whether a folder is not yet a project, and has no files of agents or settings that may have come from elsewhere. */
export const isUntouched = (root: string): boolean =>
  !isProject(root) &&
  !hasProjectFiles(
    root,
    AGENT_FOLDERS.map(([, folder]) => folder),
  );

/** Lists what a council of these agents would run, including the notify command. */
export function listCouncilRunnables(agents: Agent[], notify: string[] | null): Runnable[] {
  return [
    ...agents.flatMap((agent) => buildAgentRunnable(agent) ?? []),
    ...(notify ? [notifyRunnable(notify)] : []),
  ];
}

/** Lists what of this project needs its owner's trust before it runs. */
export const listProjectRunnables = (agents: AgentRegistry, notify: string[] | null): Runnable[] =>
  listCouncilRunnables(agents.list(), notify).filter(({ needs }) => needs === 'word');

/**
 * Lets `start` and `run` go on if their owner wants these to run: in a folder of this user's own, what a person
 * seats is trusted as it stands; elsewhere `--trust` says so, or the person on the terminal does. Throws `untrusted`.
 */
export async function requireTrust(
  app: App,
  root: string,
  items: Runnable[],
  given: { trust: boolean },
): Promise<void> {
  (await confirmTrust(app, root, items, given))();
}

/**
 * The same for a council that has written nothing yet: returns what records the trust. The agents of `planned` were asked for
 * by this very person, and need no other word in a folder that they prepared.
 */
export async function confirmTrust(
  app: App,
  root: string,
  items: Runnable[],
  given: { trust: boolean },
  planned: PlannedFiles['agents'] = [],
): Promise<() => void> {
  const { isOwn, isPrepared, listWaiting, grant } = createTrustChecks(app, root);
  const all = listWaiting(items);
  const asked = new Set(planned.filter(({ isTrusted }) => isTrusted).map(({ path }) => path));
  const untrusted = isPrepared() ? all.filter(({ file }) => !asked.has(file)) : all;
  const record = (): void => {
    if (all.length > 0) grant(all);
  };
  if (untrusted.length === 0) return record;
  const hint =
    'Look at it first. Then: council trust (it asks), or in a script: council trust --yes, or start and run with --trust.';
  // A participant must not decide what runs, however it gained access to a command line.
  if (app.via === 'api') throw createUntrustedError(root, untrusted, hint);
  if (!isOwn() && !given.trust) await confirmRunnables(app, root, untrusted, hint);
  return record;
}

/**
 * Trusts agents whose files council has just written for a person, in a folder that this user prepared; elsewhere says that
 * they wait to be asked about.
 */
export function trustSeated(app: App, root: string, agents: Agent[]): void {
  const { book, listWaiting, grant } = createTrustChecks(app, root);
  const items = listWaiting(listCouncilRunnables(agents, null));
  if (items.length === 0) return;
  if (book.project()?.prepared === true) return grant(items);
  app.note(
    `Not run before it is trusted: ${items.map(({ key }) => formatRunnableKey(key)).join(', ')}. Trust it with: council trust`,
  );
}

/**
 * Shows what would run and asks on the terminal. Throws `untrusted` without a yes; `hint` is for
 * calls without a terminal.
 */
export async function confirmRunnables(
  app: App,
  root: string,
  untrusted: UntrustedRunnable[],
  hint: string,
): Promise<void> {
  if (!app.ask) throw createUntrustedError(root, untrusted, hint);
  const lines = [
    `Nobody has trusted this in ${root}. It would run with your rights:`,
    '',
    ...untrusted.map((item) => renderWaitingLine(item, root)),
    '',
  ];
  // Part of the question, so it is always shown.
  const answer = await app.ask([...lines, 'Trust this? [y/N] '].join('\n'));
  if (!isYes(answer))
    throw new CouncilError('untrusted', 'Nothing was trusted.', {
      hint: 'Nothing was run either. Look at the files that are named above, then: council trust',
      details: { untrusted: untrusted.map(toWaitingDocument) },
    });
}

const createUntrustedError = (root: string, untrusted: UntrustedRunnable[], hint: string): CouncilError =>
  new CouncilError(
    'untrusted',
    `Nobody has trusted what would run in ${root}:\n${untrusted.map((item) => renderWaitingLine(item, root)).join('\n')}`,
    { hint, details: { untrusted: untrusted.map(toWaitingDocument) } },
  );

/** Converts a waiting program to data. */
export const toWaitingDocument = ({
  key,
  file,
  runs,
  env,
  sha256,
  news,
}: UntrustedRunnable): Record<string, unknown> => ({
  key,
  news,
  runs,
  env,
  file,
  sha256,
});

/** Describes a waiting program in one line for people. */
const renderWaitingLine = (item: UntrustedRunnable, root: string): string =>
  `  ${item.news.padEnd(8)} ${renderRunnableLine(item, root)}`;

/** Describes a program that would run, with all that its owner must know. */
export function renderRunnableLine({ key, file, runs, env, needs }: Runnable, root: string): string {
  const facts = [
    env === null ? 'with your whole environment' : env.length > 0 && `with ${env.join(', ')}`,
    `${needs === 'project' ? 'your own ' : ''}${file.startsWith(root + sep) ? file.slice(root.length + 1) : file}`,
  ].filter(Boolean);
  return `${formatRunnableKey(key)}: ${toOneLine(runs, LONGEST_LINE)}  [${toOneLine(facts.join('; '), LONGEST_LINE)}]`;
}

/** Shortens a line from an agent's file with an ellipsis if it is too long to read. */
const LONGEST_LINE = 20_000;

/** A server, and what it would run. */
export interface NamedServer {
  server: McpServer;
  runnable: Runnable;
}

/** Reads the servers of .mcp.json in the project's folder. Throws `invalid_config`. */
export function loadMcpServers(root: string): NamedServer[] {
  const path = join(root, '.mcp.json');
  const text = readTextFile(path);
  if (text === undefined) return [];
  return readMcpServers(text, path).map((server) => ({
    server,
    runnable: buildServerRunnable(server, path),
  }));
}

/** Lists what these agents' servers would run, which the owner of a project must trust, too. */
export function listServerRunnables(
  root: string,
  agents: readonly Pick<Agent, 'mcp_servers' | 'runner'>[],
): Runnable[] {
  const named = new Set(agents.filter(({ runner }) => runner === 'model').flatMap((one) => one.mcp_servers));
  if (named.size === 0) return [];
  return loadMcpServers(root).flatMap(({ server, runnable }) => (named.has(server.name) ? [runnable] : []));
}
