// Command `mcp`: starts the tool server, over stdio or HTTP.
import { createHttpServerHost } from '../remote/http-server-host.ts';
import { performDetached } from '../remote/call-process.ts';
import { identifyEnvCaller, hideFoldersInNotes, createHost, performUnlessGone } from '../remote/host.ts';
import type { McpInput } from '../../core/app/input/project.ts';
import { performCall } from '../remote/perform-call.ts';
import { pinRoot } from '../../core/app/project-folder.ts';
import type { UnknownCaller } from '../remote/token-lookup.ts';
import type { Caller, CallOutcome, RemoteCall } from '../remote/perform-call.ts';
import { listGroupTools } from '../mcp/council-tool-definitions.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { Cli } from '../../core/cli/io.ts';
import type { Command } from '../../core/cli/spec.ts';

const NO_OUTPUT = { json: undefined, text: '' };

/** `council mcp`: the use cases as tools for agents, over stdio or HTTP. */
export const performMcp: Command<McpInput> = async (cli, { http, tools }) => {
  listGroupTools(tools);
  if (http === undefined && process.stdin.isTTY)
    cli.note(
      'This is for agents, which start it themselves and speak MCP with it on stdin; it waits for such a client until Ctrl-C.\nTo set one up: claude mcp add council -- council mcp. Other clients: docs/server/mcp.md.',
    );
  await (http === undefined ? serveOnStdio(cli, tools) : serveOnHttp(cli, http, tools));
  return NO_OUTPUT;
};

async function serveOnStdio(cli: Cli, groups: McpInput['tools']): Promise<void> {
  const { serveStdio } = await import('../mcp/stdio.ts');
  const ending = new AbortController();
  const stop = AbortSignal.any([cli.interruption(), ending.signal]);
  const app = { ...hideFoldersInNotes(cli), session: process.pid, root: pinRoot(cli) };
  // The server belongs to its one client: calls that the client cancels or abandons end, except councils it
  // asked.
  const host = createHost(app, stop, (asked, gone) => performCall(app, asked, AbortSignal.any([gone, stop])));
  const performDetachedHere = (asked: RemoteCall): Promise<CallOutcome> =>
    performUnlessGone(app, asked, () => performDetached(app, asked));
  await serveStdio(
    { ...host, performDetached: performDetachedHere },
    await identifyEnvCaller(app, host),
    groups,
  );
  ending.abort();
  await host.idle();
}

async function serveOnHttp(cli: Cli, port: number, groups: McpInput['tools']): Promise<void> {
  const { serveHttp } = await import('../http/server.ts');
  const { isSame, createServerToken } = await import('../http/origin.ts');
  const given = cli.env.COUNCIL_MCP_TOKEN;
  const token = given ? requireStrongToken(given) : createServerToken();
  const host = createHttpServerHost(cli, cli.interruption());
  const doors = {
    isOpen: async () => false,
    holder: async (shown: string): Promise<Caller | UnknownCaller> =>
      isSame(shown, token) ? { role: 'admin' } : ((await host.holder(shown)) ?? { unknown: 'unknown_token' }),
  };
  const log = (): void => undefined;
  const { url, closed } = await serveHttp(host, {
    ...{ hostname: '127.0.0.1', port, doors, onlyMcp: true, log },
    groups,
  });
  // A given token is known already, and should not be shown on a screen.
  const shown = given ? '$COUNCIL_MCP_TOKEN' : token;
  cli.note(`council's MCP server listens on ${url} until Ctrl-C. For example:`);
  cli.note(`  claude mcp add --transport http council ${url} --header "Authorization: Bearer ${shown}"`);
  await closed;
  await host.idle();
}

/** A guessed token allows launching programs; and a token with a space could not be sent. */
function requireStrongToken(token: string): string {
  if (/^\S{16,}$/.test(token)) return token;
  throw new CouncilError('usage', 'COUNCIL_MCP_TOKEN must have 16 characters or more, and no space.', {
    hint: 'Make one: export COUNCIL_MCP_TOKEN=$(openssl rand -hex 32), or leave it unset.',
  });
}
