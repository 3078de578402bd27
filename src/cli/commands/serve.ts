// Command `serve`: starts the HTTP server; tells people where it is, and programs every request.
import { doorsOn, hintsFor, hostForMany } from '../../app/remote/for-many.ts';
import type { ServeInput } from '../../app/input/project.ts';
import { printableJson } from '../../base/terminal.ts';
import type { LogLine } from '../../serve/observe.ts';
import { writeOut } from '../stdout.ts';
import type { Command } from '../spec.ts';

/** Milliseconds for programs to end after the last answer; what they leave then, the next tick finds. */
const LAST_MS = 2000;

/** `council serve`: until SIGTERM or Ctrl-C. */
export const serveCommand: Command<ServeInput> = async (cli, { host: hostname, port }) => {
  const { serveHttp } = await import('../../serve/server.ts');
  const host = hostForMany(cli, cli.interruption());
  const log = (line: LogLine | { event: 'listening' | 'stopped'; at: string; url?: string }): void => {
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
  });
  if (cli.json) log({ event: 'listening', at: new Date().toISOString(), url });
  else cli.note(`council serves on ${url} until Ctrl-C. What it offers: ${url}/openapi.json`);
  await closed;
  await Promise.race([host.idle(), new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())]);
  log({ event: 'stopped', at: new Date().toISOString() });
  return { json: undefined, text: '' };
};

const refusedLine = ({ at, method, route, status, reason, token, requestId }: LogLine): string =>
  `${at} refused ${method} ${route}: ${status} ${reason ?? ''} (token ${token ?? 'none'}, request ${requestId})`;
