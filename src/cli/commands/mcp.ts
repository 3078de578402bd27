import { holderOf } from '../../council/identity.ts';
import { CouncilError } from '../../base/errors.ts';
import { findProject } from '../../store/project.ts';
import type { Call, Caller, Done, Host, UseCaseName } from '../../mcp/host.ts';
import { activeStates } from '../active.ts';
import type { Cli } from '../io.ts';
import { asCouncilError, errorDocument } from '../print.ts';
import type { Command, CommandSpec } from '../spec.ts';
import { openWorkspace } from '../wire.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** The commands that may be called as tools, by name. */
type Commands = Pick<CommandSpec, 'name' | 'load'>[];

/** What belongs to whoever started the server, and must not stand for those who reach it over HTTP. */
const OWN = ['COUNCIL_TOKEN', 'COUNCIL_PARTICIPANT', 'COUNCIL_NAME', 'COUNCIL_TOUR'];

/** `council mcp`: the commands as tools for agents, over stdio or HTTP. */
export const mcpOf =
  (commands: Commands): Command =>
  async (cli, _args, options) => {
    if (options.http === undefined) {
      const { serveStdio } = await import('../../mcp/stdio.ts');
      const { COUNCIL_PARTICIPANT: participant, COUNCIL_TOKEN: token } = cli.env;
      const host = hostOf(cli, commands);
      await serveStdio(host, { participant: participant || undefined, token, bound: false });
      await host.idle();
      return NOTHING;
    }
    const port = portOf(options.http);
    const { serveHttp } = await import('../../mcp/http.ts');
    const { newServerToken } = await import('../../mcp/bearer.ts');
    const given = cli.env.COUNCIL_MCP_TOKEN;
    const token = given ? strongEnough(given) : newServerToken();
    const env = Object.fromEntries(Object.entries(cli.env).filter(([name]) => !OWN.includes(name)));
    const host = hostOf({ ...cli, env }, commands);
    const { url, closed } = await serveHttp(host, port, token);
    // A token that was given is known, and does not belong on a screen.
    const shown = given ? '$COUNCIL_MCP_TOKEN' : token;
    cli.note(`council's MCP server listens on ${url} until Ctrl-C. For example:`);
    cli.note(`  claude mcp add --transport http council ${url} --header "Authorization: Bearer ${shown}"`);
    await closed;
    await host.idle();
    return NOTHING;
  };

const NOTHING = { json: undefined, text: '' };

function portOf(flag: unknown): number {
  const port = Number(flag);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && String(flag).trim() !== '') return port;
  throw new CouncilError('usage', `Not a port: ${JSON.stringify(flag)}.`, {
    hint: 'Give a number from 1 to 65535, or 0 for any that is free: council mcp --http 7411',
  });
}

/** Who guesses the token of the server may launch programs; and one with a space in it could never be sent. */
function strongEnough(token: string): string {
  if (/^\S{16,}$/.test(token)) return token;
  throw new CouncilError('usage', 'COUNCIL_MCP_TOKEN must have 16 characters or more, and no space.', {
    hint: 'Make one: export COUNCIL_MCP_TOKEN=$(openssl rand -hex 32), or leave it unset.',
  });
}

/** The host of a server, and when the calls it has begun are over (a tick that is cancelled gives its leases back). */
function hostOf(cli: Cli, commands: Commands): Host & { idle(): Promise<unknown> } {
  const going = new Set<Promise<Done>>();
  return {
    version: manifest.version,
    note: cli.note,
    stop: cli.interruption(),
    idle: () => Promise.allSettled(going),
    perform(name, call, caller, signal) {
      const performing = perform(commandOf(commands, name), cliFor(cli, call, caller, signal), call);
      going.add(performing);
      void performing.finally(() => going.delete(performing));
      return performing;
    },
    async holder(token) {
      // Without a project there is no council, and nobody to hold a token.
      if (!findProject({ cwd: cli.cwd, env: cli.env, root: cli.root })) return undefined;
      const { states } = await activeStates(openWorkspace(cli));
      for (const state of states) {
        const participant = holderOf(state, token);
        if (participant !== undefined) return { participant, council: state.name, token, bound: true };
      }
      return undefined;
    },
  };
}

function commandOf(commands: Commands, name: UseCaseName): () => Promise<Command> {
  const found = commands.find((command) => command.name === name);
  if (!found) throw new CouncilError('failed', `There is no command ${name} behind that tool.`);
  return found.load;
}

/** The surroundings of one call: JSON, no terminal, its text for stdin, and the caller's token. */
function cliFor(cli: Cli, { text = '' }: Call, { token }: Caller, signal: AbortSignal): Cli {
  return {
    ...cli,
    env: token === undefined ? cli.env : { ...cli.env, COUNCIL_TOKEN: token },
    via: 'mcp',
    json: true,
    live: false,
    startedAt: Date.now(),
    stdin: async () => Buffer.from(text),
    show: () => undefined,
    paint: (_style, unpainted) => unpainted,
    interruption: () => signal,
  };
}

async function perform(load: () => Promise<Command>, cli: Cli, { args, options }: Call): Promise<Done> {
  try {
    const { json, text, exitCode = 0 } = await (await load())(cli, args, options);
    return { document: json, text, failed: exitCode !== 0 };
  } catch (thrown) {
    const error = asCouncilError(thrown);
    return { document: { error: errorDocument(error) }, text: error.message, failed: true };
  }
}
