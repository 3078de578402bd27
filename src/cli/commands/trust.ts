import type { Runnable } from '../../agents/runnable.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Cli } from '../io.ts';
import type { Options } from '../../app/app.ts';
import type { Outcome } from '../print.ts';
import type { LegacyCommand } from '../spec.ts';
import { confirm, projectRunnables, runnableLine, trustIn } from '../../app/trust.ts';
import type { Trusting } from '../../app/trust.ts';
import { loadAgents, loadConfig, openWorkspace } from '../../app/workspace.ts';

export const trustCommand: LegacyCommand = async (cli, _args, options) => {
  oneOf(options, ['yes', 'list', 'revoke']);
  const workspace = openWorkspace(cli);
  const { root } = workspace.project;
  const trusting = trustIn(cli, root);
  if (options.revoke === true) return revoke(trusting, root);
  const agents = await loadAgents(cli, workspace);
  for (const { path, message } of agents.problems())
    cli.note(message.includes(path) ? message : `${path}: ${message}`);
  const { notify } = await loadConfig(cli, workspace, {});
  const items = projectRunnables(agents, notify);
  return options.list === true
    ? list(trusting, root, items)
    : trust(cli, trusting, root, items, options.yes === true);
};

const NOBODY_TO_ASK =
  'Nobody can be asked here (there is no terminal, or --json is given). Look at it first. Then: council trust --yes';

async function trust(
  cli: Cli,
  { book, waiting, grant }: Trusting,
  root: string,
  items: Runnable[],
  yes: boolean,
): Promise<Outcome> {
  const untrusted = waiting(items);
  const known = book.project() !== undefined;
  if (untrusted.length === 0 && known)
    return {
      json: { root, trusted: [] },
      text: `Nothing new: ${count(items.length)} of ${root} may run already.`,
    };
  // Without a command of its own there is nothing to show: the user's own agents may sit there from now on.
  if (untrusted.length > 0 && !yes) await confirm(cli, root, untrusted, NOBODY_TO_ASK);
  grant(untrusted);
  return {
    json: { root, trusted: untrusted.map(({ key, runs, sha256 }) => ({ key, runs, sha256 })) },
    text: [`Trusted in ${root}:`, ...untrusted.map((item) => `  ${runnableLine(item, root)}`)]
      .concat(
        untrusted.length === 0 ? ['  no command of its own, and your own agents (~/.claude/agents)'] : [],
      )
      .join('\n'),
  };
}

function list({ book, isOwn, waiting }: Trusting, root: string, items: Runnable[]): Outcome {
  const untrusted = new Map(waiting(items).map(({ key, news }) => [key, news]));
  const project = book.project();
  const rows = items.map((item) => ({ ...item, state: untrusted.get(item.key) ?? 'trusted' }));
  const isHere = new Set(items.map(({ key }) => key));
  const gone = book.list().filter(({ key }) => !isHere.has(key));
  const standing = !project
    ? 'Nobody has trusted this folder.'
    : project.prepared
      ? `You prepared this folder (${project.since}): ${isOwn() ? 'what you seat here by hand is trusted as it stands.' : 'it has a git remote, so start and run ask about what was not written with council agents add.'}`
      : `Trusted since ${project.since}.`;
  return {
    json: {
      root,
      project: project ?? null,
      items: rows.map(({ key, state, runs, env, file, sha256 }) => ({ key, state, runs, env, file, sha256 })),
      gone,
    },
    text: [
      `${root}: ${standing}`,
      ...rows.map((item) => `  ${item.state.padEnd(8)} ${runnableLine(item, root)}`),
      ...gone.map(
        ({ key, runs, sha256 }) =>
          `  gone     ${runnableLine({ key, runs, sha256, env: [], file: 'no longer there', needs: 'word' }, root)}`,
      ),
      ...(rows.length + gone.length === 0 ? ['  No command of its own.'] : []),
    ].join('\n'),
  };
}

function revoke({ book }: Trusting, root: string): Outcome {
  const revoked = book.revoke();
  return {
    json: { root, revoked },
    text: revoked
      ? `Nothing of ${root} runs any more until you trust it again. A program that is at work is not ended.`
      : `Nobody had trusted ${root}.`,
  };
}

const count = (commands: number): string => (commands === 1 ? 'the one command' : `all ${commands} commands`);

function oneOf(options: Options, names: string[]): void {
  const given = names.filter((name) => options[name] === true);
  if (given.length < 2) return;
  throw new CouncilError('usage', `Only one of --${given.join(' and --')} can be given.`, {
    hint: 'See: council trust --help',
  });
}
