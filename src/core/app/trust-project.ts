// Use case `trust`: grants, lists or withdraws trust in a project's programs.
import type { TrustProblem, Runnable } from '../agents/runnable-trust.ts';
import { CouncilError } from '../base/errors.ts';
import type { App, Result } from './app.ts';
import type { TrustInput } from './input/project.ts';
import { tellCopies } from './modes.ts';
import { confirmRunnables, listProjectRunnables, createTrustChecks, listServerRunnables } from './trust.ts';
import type { ProjectTrust } from './trust.ts';
import { loadAgents, loadConfig, openWorkspace } from './workspace.ts';

const NOBODY_TO_ASK =
  'Nobody can be asked here (there is no terminal, or --json is given). Look at it first. Then: council trust --yes';

/** A trusted program in the list. */
interface Trusted {
  key: string;
  runs: string;
  sha256: string;
}

type RunnableWithTrust = Runnable & { state: TrustProblem | 'trusted' };

/** The results, each with its own document and a message for people. */
export type TrustResult =
  | ({ done: 'granted'; isNew: boolean; items: Runnable[] } & Result<{ root: string; trusted: Trusted[] }>)
  | ({ done: 'listed'; isOwn: boolean; items: RunnableWithTrust[] } & Result<ListDocument>)
  | ({ done: 'revoked' } & Result<{ root: string; revoked: boolean }>);

interface ListDocument {
  root: string;
  project: NonNullable<ReturnType<ProjectTrust['book']['project']>> | null;
  items: Pick<RunnableWithTrust, 'key' | 'state' | 'runs' | 'env' | 'file' | 'sha256'>[];
  gone: ReturnType<ProjectTrust['book']['list']>;
}

/** Allows the programs of a project from elsewhere to run, lists them, or forgets it all. Throws `untrusted`. */
export async function trust(app: App, input: TrustInput): Promise<TrustResult> {
  assertSingleTrustOption(input);
  const workspace = openWorkspace(app);
  const { root } = workspace.project;
  const trusting = createTrustChecks(app, root);
  if (input.revoke) return { done: 'revoked', document: { root, revoked: trusting.book.revoke() } };
  const agents = await loadAgents(app, workspace);
  for (const { path, message } of agents.problems())
    app.note(message.includes(path) ? message : `${path}: ${message}`);
  tellCopies(app, workspace, agents);
  const { notify } = await loadConfig(app, workspace, {});
  const items = [...listProjectRunnables(agents, notify), ...listServerRunnables(root, agents.list())];
  return input.list
    ? listTrustedRunnables(trusting, root, items)
    : grantTrust(app, trusting, root, items, input.yes);
}

async function grantTrust(
  app: App,
  { book, listWaiting, grant: note }: ProjectTrust,
  root: string,
  items: Runnable[],
  yes: boolean,
): Promise<TrustResult> {
  const untrusted = listWaiting(items);
  if (untrusted.length === 0 && book.project() !== undefined)
    return { done: 'granted', isNew: false, items, document: { root, trusted: [] } };
  // Without its own commands there is nothing to show; the user's own agents may now be seated there.
  if (untrusted.length > 0 && !yes) await confirmRunnables(app, root, untrusted, NOBODY_TO_ASK);
  note(untrusted);
  const trusted = untrusted.map(({ key, runs, sha256 }) => ({ key, runs, sha256 }));
  return { done: 'granted', isNew: true, items: untrusted, document: { root, trusted } };
}

function listTrustedRunnables(
  { book, isOwn, listWaiting }: ProjectTrust,
  root: string,
  all: Runnable[],
): TrustResult {
  const untrusted = new Map(listWaiting(all).map(({ key, news }) => [key, news]));
  const items = all.map((item) => ({ ...item, state: untrusted.get(item.key) ?? ('trusted' as const) }));
  const isHere = new Set(all.map(({ key }) => key));
  return {
    done: 'listed',
    isOwn: isOwn(),
    items,
    document: {
      root,
      project: book.project() ?? null,
      items: items.map(({ key, state, runs, env, file, sha256 }) => ({
        key,
        state,
        runs,
        env,
        file,
        sha256,
      })),
      gone: book.list().filter(({ key }) => !isHere.has(key)),
    },
  };
}

function assertSingleTrustOption(input: TrustInput): void {
  const given = (['yes', 'list', 'revoke'] as const).filter((name) => input[name]);
  if (given.length < 2) return;
  throw new CouncilError('usage', `Only one of --${given.join(' and --')} can be given.`, {
    hint: 'See: council trust --help',
  });
}
