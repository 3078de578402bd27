import type { Caller, Host } from './host.ts';
import { serverMaker } from './server.ts';

/** Serves one client on stdin and stdout until stdin ends or the host stops. stdout carries the protocol only. */
export async function serveStdio(host: Host, caller: Caller): Promise<void> {
  const make = await serverMaker(host, () => caller);
  const { serveStdio: serve } = await import('@modelcontextprotocol/server/stdio');
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, () => resolve());
    host.stop.addEventListener('abort', () => resolve(), { once: true });
    if (host.stop.aborted) resolve();
  });
  const connection = serve(make, { onerror: (error) => host.note(`MCP: ${error.message}`) });
  await ended;
  await connection.close();
  process.stdin.destroy();
}
