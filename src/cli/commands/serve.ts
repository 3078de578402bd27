// Command `serve`: starts the HTTP server; tells people where it is, and programs every request.
import { hostForMany } from '../../app/remote/for-many.ts';
import type { ServeInput } from '../../app/input/project.ts';
import { CouncilError } from '../../base/errors.ts';
import { printableJson } from '../../base/terminal.ts';
import { writeOut } from '../stdout.ts';
import type { Command } from '../spec.ts';

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1)$/;
/** Milliseconds for programs to end after the last answer; what they leave then, the next tick finds. */
const LAST_MS = 2000;

/** `council serve`: until SIGTERM or Ctrl-C. */
export const serveCommand: Command<ServeInput> = async (cli, { host: hostname, port }) => {
  if (!LOOPBACK.test(hostname))
    throw new CouncilError(
      'forbidden',
      `Without a token, nobody but this machine may come in, and ${hostname} is not it.`,
      {
        hint: 'Serve on the loopback address: council serve --host 127.0.0.1',
      },
    );
  const { serveHttp } = await import('../../serve/server.ts');
  const host = hostForMany(cli, cli.interruption());
  const log = (line: object): void => {
    if (cli.json) writeOut(`${printableJson(line)}\n`);
  };
  const doors = { isOpen: async () => true, holder: host.holder };
  const { url, closed } = await serveHttp(host, { hostname, port, doors, onlyMcp: false, log });
  if (cli.json) log({ event: 'listening', at: new Date().toISOString(), url });
  else cli.note(`council serves on ${url} until Ctrl-C. What it offers: ${url}/openapi.json`);
  await closed;
  await Promise.race([host.idle(), new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())]);
  log({ event: 'stopped', at: new Date().toISOString() });
  return { json: undefined, text: '' };
};
