// Command `serve`: starts the HTTP server; tells people where it is, and programs every request.
import { doorsOn, hintsFor, hostForMany } from '../../app/remote/for-many.ts';
import type { ServeInput } from '../../app/input/project.ts';
import { CouncilError } from '../../base/errors.ts';
import { printableJson } from '../../base/terminal.ts';
import type { LogLine } from '../../serve/observe.ts';
import { writeOut } from '../stdout.ts';
import type { Command } from '../spec.ts';

/** Milliseconds for programs to end after the last answer; what they leave then, the next tick finds. */
const LAST_MS = 2000;

/** `council serve`: until SIGTERM or Ctrl-C. */
export const serveCommand: Command<ServeInput> = async (cli, { host: hostname, port, publicUrl }) => {
  const { serveHttp } = await import('../../serve/server.ts');
  const host = hostForMany(cli, cli.interruption());
  const log = (
    line: LogLine | { event: 'listening' | 'stopped'; at: string; url?: string; pid?: number },
  ): void => {
    if (cli.json) writeOut(`${printableJson(line)}\n`);
    else if (line.event === 'refused') cli.note(refusedLine(line));
  };
  const doors = await doorsOn(cli, host, hostname);
  const { url, closed } = await serveHttp(host, {
    hostname,
    port,
    doors,
    onlyMcp: false,
    log,
    hints: hintsFor(cli),
    pages: { doors, publicUrl: publicUrl === undefined ? undefined : httpsOrigin(publicUrl) },
  });
  if (cli.json) log({ event: 'listening', url, pid: process.pid, at: new Date().toISOString() });
  else cli.note(`council serves on ${url} until Ctrl-C. What it offers: ${url}/openapi.json`);
  await closed;
  await Promise.race([host.idle(), new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())]);
  log({ event: 'stopped', at: new Date().toISOString() });
  return { json: undefined, text: '' };
};

/** The address that people know it by, behind what ends TLS. */
function httpsOrigin(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '')
    return url;
  throw new CouncilError(
    'usage',
    `--public-url must be an address such as https://council.example, not ${JSON.stringify(text.slice(0, 200))}.`,
    {
      hint: 'What ends TLS passes requests on to this server, which listens on the loopback address.',
    },
  );
}

const refusedLine = ({ at, method, route, status, reason, token, requestId }: LogLine): string =>
  `${at} refused ${method} ${route}: ${status} ${reason ?? ''} (token ${token ?? 'none'}, request ${requestId})`;
