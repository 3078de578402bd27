import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ticked } from '../helpers/documents.ts';
import { CLIENTS, listening, overHttp, overStdio, post, withToken } from '../helpers/mcp.ts';
import { stateOf } from '../helpers/look.ts';
import { serving } from '../helpers/serve.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';

const CONFORMANCE = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

describe('council mcp --http', () => {
  it('opens to this machine and to the token only', async () => {
    const project = await newProject();
    const { url, token, running, stop } = await listening(project);
    const port = new URL(url).port;
    const bearer = { authorization: `Bearer ${token}` };
    const status = async (headers: Record<string, string>, at = url, method = 'POST') =>
      (await post(at, headers, method)).status;

    expect(await status(bearer)).toBe(200);
    expect(await status({ ...bearer, origin: `http://localhost:${port}` })).toBe(200);
    expect(await status({ ...bearer, host: 'evil.example' })).toBe(403);
    expect(await status({ ...bearer, host: `evil.example:${port}` })).toBe(403);
    expect(await status({ ...bearer, host: `127.0.0.1.evil.example:${port}` })).toBe(403);
    expect(await status({ ...bearer, origin: 'https://evil.example' })).toBe(403);
    expect(await status({ ...bearer, origin: 'null' })).toBe(403);
    expect(await status(bearer, url.replace('/mcp', '/'))).toBe(404);
    expect(await status(bearer, url, 'GET')).toBe(405);

    const without = await post(url, {});
    expect(without.status).toBe(401);
    expect(without.headers['www-authenticate']).toMatch(/^Bearer/);
    for (const wrong of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token}x`])
      expect(await status({ authorization: wrong })).toBe(401);
    // Who is not from here learns nothing about tokens.
    expect(await status({ host: 'evil.example' })).toBe(403);

    await stop();
    expect(running.child.exitCode).toBe(0);
    expect((await running.ended).stdout).toBe('');
  });

  it('listens on the loopback address alone, and takes a token that it does not print', async () => {
    const project = await newProject();
    const given = 'a-token-of-my-own-1234567890';
    const { url, token, running, stop } = await listening(project, { COUNCIL_MCP_TOKEN: given });
    expect(token).toBe(given);
    expect((await post(url, { authorization: `Bearer ${given}` })).status).toBe(200);
    if (process.platform === 'linux') {
      const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
      const rows = ['/proc/net/tcp', '/proc/net/tcp6']
        .filter((path) => fs.existsSync(path))
        .flatMap((path) => fs.readFileSync(path, 'utf8').split('\n'))
        .filter((row) => row.includes(`:${port} `) && / 0A /.test(row))
        .map((row) => row.trim().split(/\s+/)[1]);
      expect(rows).toEqual([`0100007F:${port}`]);
    }
    const again = await project.council(['mcp', '--http', new URL(url).port]);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('EADDRINUSE');
    await stop();
    expect((await running.ended).stderr).not.toContain(given);
    for (const port of ['x', '-1', '70000', ''])
      expect((await project.council(['mcp', '--http', port])).code).toBe(2);
    for (const COUNCIL_MCP_TOKEN of ['short', 'long enough but with spaces']) {
      const refused = await project.council(['mcp', '--http', '0'], { env: { COUNCIL_MCP_TOKEN } });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).not.toContain(COUNCIL_MCP_TOKEN);
    }
  });
});

/** Each way of serving MCP over HTTP, at an address that asks for no token. */
const SERVERS: [string, (project: Project) => Promise<{ url: string; stop(): Promise<unknown> }>][] = [
  [
    'council mcp --http',
    async (project) => {
      // The scenarios know no token. The proxy adds it and passes everything else on as it comes.
      const server = await listening(project);
      const proxy = await withToken(server.url, server.token);
      return { url: proxy.url, stop: async () => proxy.close().then(server.stop) };
    },
  ],
  [
    'council serve',
    async (project) => {
      const { url, stop } = await serving(project);
      return { url: `${url}/mcp`, stop };
    },
  ],
];

describe.each(SERVERS)('the conformance scenario at %s', (_, begin) => {
  let server: { url: string; stop(): Promise<unknown> };
  beforeAll(async () => {
    server = await begin(await newProject());
  });
  afterAll(async () => {
    await server.stop();
  });

  it.each([
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ])('%s passes', async (scenario) => {
    const args = [CONFORMANCE, 'server', '--url', server.url, '--scenario', scenario];
    const run = spawn(process.execPath, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
    const [code] = (await once(run, 'close')) as [number];
    const printed = Buffer.concat(output).toString();
    expect({ code, printed }).toMatchObject({ code: 0 });
    expect(printed).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
  });
});

describe('a tick that a client has called', () => {
  it.each(CLIENTS)(
    "ends with the call over stdio, where the server is that client's own: %s",
    async (kind) => {
      const project = await newProject();
      addSpeaker(project, 'ada', { any: { hang: true } });
      await project.council(['start', 'Long?', '--agents', 'ada']);
      const client = await overStdio(kind, project);
      const cancel = new AbortController();
      const call = client.call('tick', {}, cancel.signal);
      await until('ada runs', () => launches(project).length === 1);
      const { pid } = launches(project)[0]!;
      cancel.abort();
      await expect(call).rejects.toThrow();
      await until('ada has been ended', () => !runs(pid));
      await until('the lease is given back', async () => {
        const { participants } = await stateOf(project);
        return participants.ada!.lease === null;
      });
      expect((await stateOf(project)).participants.ada).toMatchObject({ status: 'WAITING', attempts: 0 });
      await client.close();
    },
  );

  it.each(CLIENTS)(
    'fault 20: survives its caller over HTTP, and the next one gets its result: %s',
    async (kind) => {
      const project = await newProject();
      const go = join(project.outside, 'go');
      addSpeaker(project, 'ada', { any: { whenThere: go, say: 'Ada has thought about it.' } });
      await project.council(['start', 'Long?', '--agents', 'ada']);
      const server = await listening(project);
      const client = await overHttp(kind, server.url, server.token);
      const cancel = new AbortController();
      const cancelled = client.call('tick', {}, cancel.signal);
      await until('ada runs', () => launches(project).length === 1);
      cancel.abort();
      await expect(cancelled).rejects.toThrow();
      const gone = await overHttp(kind, server.url, server.token);
      const left = gone.call('tick').catch((error: unknown) => error);
      await gone.close();
      const again = client.call<Ticked>('tick');
      await until('the server has the last call', async () => (await client.tools()).length > 0);
      expect(runs(launches(project)[0]!.pid)).toBe(true);
      fs.writeFileSync(go, '');
      expect((await again).json.councils).toMatchObject([{ launched: ['ada'], failed: [] }]);
      expect((await stateOf(project)).participants.ada).toMatchObject({ status: 'RESPONDED', lease: null });
      expect(launches(project)).toHaveLength(1);
      await left;
      await client.close();
      await server.stop();
    },
  );

  it('ends with the server, which leaves no program behind', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { hang: true } });
    await project.council(['start', 'Long?', '--agents', 'ada']);
    const server = await listening(project);
    const client = await overHttp('v1', server.url, server.token);
    const call = client.call('tick').catch((error: unknown) => error);
    await until('ada runs', () => launches(project).length === 1);
    await server.stop();
    // A client may wait for an answer until its own time is over, a minute: it is told that this is over.
    await client.close();
    expect(await call).toBeInstanceOf(Error);
    expect(runs(launches(project)[0]!.pid)).toBe(false);
    expect((await stateOf(project)).participants.ada).toMatchObject({ lease: null, attempts: 0 });
  });
});
