import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy that lets nothing out of this machine. */
export interface Gate {
  url: string;
  /** Where the programs wanted to go, as host:port. */
  refused: string[];
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Starts it. Agent programs ask for updates, catalogues and telemetry: here they are told no at once. */
export async function gate(): Promise<Gate> {
  const refused: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(403).end());
  server.on('connect', (request, socket: Socket) => {
    const target = request.url ?? '';
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? [];
    socket.on('error', () => socket.destroy());
    if (!LOOPBACK.has(host)) {
      refused.push(target);
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
