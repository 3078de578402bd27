// Command `serve`: starts the HTTP server; shows people its address, and programs a log of every request.
import { checkInput } from '../../core/app/input/check-input.ts';
import { heartbeatFields } from '../../core/app/input/council.ts';
import { createSecret } from '../../core/base/ids.ts';
import {
  openTokenLookup,
  createServerChangeEvents,
  createHttpServerHost,
  createServerPageData,
} from '../remote/http-server-host.ts';
import type { ServeInput } from '../../core/app/input/project.ts';
import { recordServing, withOwnServer } from '../access/local-servers.ts';
import { CouncilError, describeThrown } from '../../core/base/errors.ts';
import { formatPrintableJson } from '../../core/base/terminal.ts';
import type { LogLine } from '../http/observe.ts';
import { writeOut } from '../../core/cli/stdout.ts';
import type { Cli } from '../../core/cli/io.ts';
import type { Command } from '../../core/cli/spec.ts';

/** Milliseconds for programs to exit after the last answer; the next tick handles the rest. */
const LAST_MS = 2000;

/** `council serve`: runs until SIGTERM or Ctrl-C. */
export const performServe: Command<ServeInput> = async (cli, input) => {
  const { host: hostname, port, publicUrl, heartbeat } = input;
  const { serveHttp } = await import('../http/server.ts');
  const host = createHttpServerHost(cli, cli.interruption());
  const log = (
    line: LogLine | { event: 'listening' | 'stopped'; at: string; url?: string; pid?: number },
  ): void => {
    if (cli.json) writeOut(`${formatPrintableJson(line)}\n`);
    else if (line.event === 'refused') cli.note(formatRefusedLine(line));
  };
  const origin = publicUrl === undefined ? undefined : parseHttpsOrigin(publicUrl);
  const secret = createSecret();
  const doors = await openTokenLookup(cli, host, hostname);
  const { url, closed } = await serveHttp(host, {
    hostname,
    port,
    doors,
    onlyMcp: false,
    log,
    hints: createServerChangeEvents(cli),
    pages: { doors, publicUrl: origin, secret, data: createServerPageData(cli) },
  }).catch((error: unknown) => {
    throw withOwnServer(cli, port, error);
  });
  const over = recordServing(cli, { url: toReachableUrl(url), publicUrl: origin?.origin ?? null, secret });
  if (await doors.isOpen()) cli.note('No tokens yet: anybody on this machine comes in as its owner.');
  if (cli.json) log({ event: 'listening', url, pid: process.pid, at: new Date().toISOString() });
  else
    cli.note(
      `council serves on ${url} until Ctrl-C: the pages there (council open opens them), the API as ${url}/openapi.json describes it`,
    );
  await Promise.all([closed, heartbeat && runHeartbeatBesides(cli)]).finally(over);
  await Promise.race([host.idle(), new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())]);
  log({ event: 'stopped', at: new Date().toISOString() });
  return { json: undefined, text: '' };
};

/** A server listening on all addresses is reached by the loopback address. */
const toReachableUrl = (url: string): string =>
  url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:\d+$)/, '//127.0.0.1');

/** If the heartbeat cannot start, the pages remain available. */
async function runHeartbeatBesides(cli: Cli): Promise<void> {
  const { runHeartbeat } = await import('../../core/app/heartbeat.ts');
  const given = { command: 'heartbeat', env: cli.env, isOwnCommandLine: true, text: () => undefined };
  const usual = checkInput(heartbeatFields, {}, given);
  await runHeartbeat(cli, usual).catch((error: unknown) =>
    cli.note(`No heartbeat: ${describeThrown(error)}`),
  );
}

/** Parses the public address, behind a TLS proxy. */
function parseHttpsOrigin(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '')
    return url;
  throw new CouncilError(
    'usage',
    `--public-url must be an address such as https://council.example, not ${JSON.stringify(text.slice(0, 200))}.`,
    {
      hint:
        url !== null && url.pathname !== '/'
          ? 'council needs a name of its own, without a path: what it serves lies at the root. See docs/server/deploy.md#tls'
          : 'What ends TLS passes requests on to this server, which listens on the loopback address.',
    },
  );
}

const formatRefusedLine = ({ at, method, route, status, reason, token, requestId }: LogLine): string =>
  `${at} refused ${method} ${route}: ${status} ${reason ?? ''} (token ${token ?? 'none'}, request ${requestId})`;
