// MCP over stdin and stdout, for one client.
import { pipeline, Writable } from 'node:stream';
import { escapedJson } from '../../core/base/terminal.ts';
import type { Host } from '../remote/host.ts';
import type { Caller } from '../remote/perform-call.ts';
import { serverMaker } from './server.ts';
import { messageLines } from './message-lines.ts';
import { listGroupTools } from './tool-groups.ts';

/** Serves one client on stdin and stdout until stdin ends or the host stops. stdout carries the protocol only. */
export async function serveStdio(host: Host, caller: Caller, groups?: readonly string[]): Promise<void> {
  const tools = listGroupTools(groups);
  const make = await serverMaker(host, () => ({ caller, tools }));
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const out = printable(process.stdout);
  const messages = messageLines(
    (id, error) => void out.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`),
  );
  const ended = new Promise<void>((resolve) => {
    pipeline(process.stdin, messages, () => resolve());
    for (const event of ['end', 'close'] as const) messages.once(event, () => resolve());
    host.stop.addEventListener('abort', () => resolve(), { once: true });
    if (host.stop.aborted) resolve();
  });
  const connection = serve(make, {
    transport: new StdioServerTransport(messages, out),
    onerror: (error) => host.note(`MCP: ${error.message}`),
  });
  await ended;
  await connection.close();
  process.stdin.destroy();
}

/** Hosts show what they read in terminals and logs. */
function printable(out: NodeJS.WritableStream): Writable {
  const escaping = new Writable({
    decodeStrings: false,
    write: (message: string | Uint8Array, _encoding, done) =>
      void out.write(escapedJson(message.toString()), (error) => done(error)),
  });
  out.on('error', (error: Error) => escaping.destroy(error));
  return escaping;
}
