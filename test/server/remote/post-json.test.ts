// One request to a server: nothing of it goes anywhere else, and what breaks off is an error.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { post } from '../../../src/server/remote/post-json.ts';

const servers: http.Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
});

async function serverThat(answers: http.RequestListener): Promise<string> {
  const server = http.createServer(answers).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const sent = (url: string, signal = new AbortController().signal) =>
  post(url, { body: '{"é":1}', headers: { Authorization: 'Bearer secret' }, signal });

describe('a request', () => {
  it('hands over its text, and gets the answer with its type', async () => {
    const url = await serverThat((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      req.on('end', () =>
        res.writeHead(201, { 'content-type': 'text/x' }).end(JSON.stringify(`${req.method} ${body} 🦉`)),
      );
    });
    expect(await sent(url)).toEqual({ status: 201, type: 'text/x', body: 'POST {"é":1} 🦉' });
  });

  it('makes nothing of an answer that is nested deeper than any of council', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const url = await serverThat((_, res) => res.end(`{"view":${nested(200_000)}}`));
    expect((await sent(url)).body).toBeUndefined();
    const shallow = await serverThat((_, res) => res.end(`{"view":${nested(20)}}`));
    expect((await sent(shallow)).body).toHaveProperty('view');
  });

  it('follows no redirection: the token is for that server alone', async () => {
    const seen: string[] = [];
    const other = await serverThat((req, res) => (seen.push(req.headers.authorization ?? ''), res.end()));
    const url = await serverThat((_, res) => res.writeHead(307, { location: other }).end());
    expect(await sent(url)).toMatchObject({ status: 307 });
    expect(seen).toEqual([]);
  });

  it('fails where the answer breaks off, and where it is interrupted', async () => {
    const cut = await serverThat((_, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('{"half":');
      setImmediate(() => res.destroy());
    });
    await expect(sent(cut)).rejects.toThrow();
    const interruption = new AbortController();
    const silent = await serverThat(() => interruption.abort());
    await expect(sent(silent, interruption.signal)).rejects.toThrow();
    const half = new AbortController();
    const slow = await serverThat((_, res) => {
      res.writeHead(200).write('{"half":');
      setTimeout(() => half.abort(), 20);
    });
    await expect(sent(slow, half.signal)).rejects.toThrow();
  });

  it('waits for an answer and for its end for a while, and for what others do as long as it takes', async () => {
    const [little, most] = [
      { answer: 40, end: 40, bytes: 1000 },
      { answer: 60_000, end: 60_000, bytes: 1000 },
    ];
    const asked = (url: string, most: typeof little, isLong = false) =>
      post(url, { body: '{}', headers: {}, signal: new AbortController().signal, most, isLong });
    const silent = await serverThat(() => undefined);
    await expect(asked(silent, little)).rejects.toMatchObject({ bound: 'answer', most: 40 });
    const late = await serverThat((_, res) => void setTimeout(() => res.end('"late"'), 120));
    await expect(asked(late, { ...most, answer: 40 }, true)).resolves.toMatchObject({ body: 'late' });
    const dripping = await serverThat((_, res) => {
      const drip = setInterval(() => res.write(' '), 5);
      res.on('close', () => clearInterval(drip));
    });
    for (const isLong of [false, true])
      await expect(asked(dripping, little, isLong)).rejects.toMatchObject({ bound: 'end' });
    const long = await serverThat((_, res) => res.end(JSON.stringify('é'.repeat(600))));
    await expect(asked(long, most)).rejects.toMatchObject({ bound: 'bytes', most: 1000 });
  });
});
