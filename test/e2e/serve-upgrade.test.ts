// A server takes over from another one behind a proxy, while requests keep coming.
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';

/** A proxy as in docs/server/deploy.md: it looks who is ready, and asks another one where somebody says 503. */
async function proxyTo(servers: string[]) {
  let ready = [...servers];
  const look = setInterval(() => {
    void Promise.all(
      servers.map((url) =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    ).then((are) => (ready = servers.filter((_, at) => are[at])));
  }, 200);
  const pass = async (body: Buffer, req: http.IncomingMessage): Promise<Response> => {
    let last: Response | undefined;
    for (const url of [...ready, ...servers]) {
      const sent = fetch(`${url}${req.url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Uint8Array(body),
      });
      last = (await sent.catch(() => undefined)) ?? last;
      if (last && last.status !== 503) return last;
    }
    return last ?? new Response('', { status: 502 });
  };
  const server = http.createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const answer = await pass(Buffer.concat(chunks), req);
      res.writeHead(answer.status, { 'content-type': 'application/json' });
      res.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url: string) => void servers.push(url),
    stop: () => (clearInterval(look), server.close()),
  };
}

it('is taken over without a request that fails', async () => {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  await project.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
  const old = await serving(project);
  const proxy = await proxyTo([old.url]);
  const api = apiOf(proxy.url);
  const answers: number[] = [];
  let isOver = false;
  const asking = async (): Promise<void> => {
    while (!isOver) answers.push((await api.post('status', { name: 'c' })).status);
  };
  const askers = [asking(), asking()];
  const next = await serving(project);
  proxy.add(next.url);
  // Those that began before it was there have the old one alone.
  const before = answers.length;
  await until('both are asked', () => answers.length > before + 2);
  const { code } = await old.stop();
  expect(code).toBe(0);
  const said = await api.post('respond', { agent: 'ada', name: 'c', text: 'position: Redis' });
  expect(said.status).toBe(200);
  isOver = true;
  await Promise.all(askers);
  expect(answers.length).toBeGreaterThan(before);
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  proxy.stop();
  await next.stop();
});
