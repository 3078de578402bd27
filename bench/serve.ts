// Figures of the server: from a commit to its event, and a contribution through it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openWorkspace } from '../src/app/workspace.ts';
import { amend } from '../src/council/use/amend.ts';
import { processCli } from '../src/cli/io.ts';
import type { Figure, Timings } from './figure.ts';
import { CLI, timeOne } from './measure.ts';
import { multiply } from './populate.ts';
import { makeProject, openCouncil } from './projects.ts';
import type { Project } from './projects.ts';

const PEOPLE = ['ana', 'ben', 'cleo'];
const COUNCILS = 100;
const STREAMS = 1000;
const ROUNDS = 5;
/** Changes of a round, so many in a second. */
const CHANGES = 300;
const PER_SECOND = 100;

/** `council serve` of a project, once it listens. */
export async function serverOf({ root, env }: Project) {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--json'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    mb: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** One event stream of a council; `tell` hears the revisions. */
async function streamOf(url: string, name: string, tell: (revision: number) => void): Promise<net.Socket> {
  const { port, host } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1').setEncoding('latin1');
  socket.write(`GET /api/v1/events?name=${name} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  socket.on('data', (text) => {
    for (const [, revision] of String(text).matchAll(/"revision":(\d+)/g)) tell(Number(revision));
  });
  await once(socket, 'data');
  return socket;
}

const events: Figure = {
  name: 'serve-events',
  what: `from a commit to its event (p99), ${STREAMS} event streams of ${COUNCILS} councils with ${PER_SECOND} changes a second`,
  against: 'the same with one stream',
  goal: null,
  async measure(scratch) {
    const project = makeProject(scratch, PEOPLE);
    openCouncil(project, PEOPLE, 1024);
    await multiply(project, COUNCILS, 'e');
    const app = { ...processCli({ json: true, root: undefined }), cwd: project.root, env: project.env };
    const { ports, store } = openWorkspace(app);
    const names = (await store.list('e')).slice(0, COUNCILS);
    const server = await serverOf(project);
    const timings: Timings & { mb: number[] } = { figure: [], baseline: [], mb: [] };
    const played = async (streams: number): Promise<number> => {
      const committed = new Map<string, number>();
      const heard: number[] = [];
      const sockets: net.Socket[] = [];
      const before = server.mb();
      for (let at = 0; at < streams; at++) {
        const name = names[at % names.length]!;
        const socket = await streamOf(server.url, name, (revision) => {
          const since = committed.get(`${name} ${revision}`);
          if (since !== undefined) heard.push(performance.now() - since);
        });
        sockets.push(socket);
      }
      const followed = names.slice(0, streams);
      const begun = performance.now();
      for (let at = 0; at < CHANGES; at++) {
        await delay(Math.max(0, begun + (at * 1000) / PER_SECOND - performance.now()));
        const name = followed[at % followed.length]!;
        const { revision } = await amend(ports, name, { action: 'bench', by: null }, (now) => ({
          next: { ...now, state: { ...now.state, topic: `Change ${at}?` } },
          result: null,
        }));
        committed.set(`${name} ${revision}`, performance.now());
      }
      await delay(1000);
      if (streams > 1) timings.mb.push((server.mb() - before) / streams);
      for (const socket of sockets) socket.destroy();
      return heard.sort((a, b) => a - b)[Math.floor(heard.length * 0.99)] ?? Number.NaN;
    };
    for (let round = 0; round < ROUNDS; round++) {
      timings.figure.push(await played(STREAMS));
      timings.baseline.push(await played(1));
    }
    await server.stop();
    process.stderr.write(`KB a stream: ${timings.mb.map((mb) => Math.round(mb * 1024)).join(', ')}\n`);
    return { figure: timings.figure, baseline: timings.baseline };
  },
};

const respond: Figure = {
  name: 'serve-respond',
  what: 'a contribution of 1 KB through the server, over HTTP',
  against: 'the same with council respond on the command line',
  goal: null,
  async measure(scratch) {
    const project = makeProject(scratch, PEOPLE);
    openCouncil(project, PEOPLE, 1024);
    const server = await serverOf(project);
    const text = (at: number): string => `position: Redis\n\n${at} ${'It is fast. '.repeat(80)}\n`;
    const send = async (at: number): Promise<number> => {
      const begun = performance.now();
      const answer = await fetch(`${server.url}/api/v1/respond`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ agent: 'ana', text: text(at), replace: true }),
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`respond: ${answer.status}`);
      return performance.now() - begun;
    };
    const timings: Timings = { figure: [], baseline: [] };
    for (let round = 0; round < 25; round++) {
      timings.figure.push(await send(round));
      const file = `${project.root}/said-${round}.md`;
      writeFileSync(file, text(round));
      const args = [CLI, 'respond', 'ben', '--file', file, '--replace'];
      timings.baseline.push(
        timeOne({ command: process.execPath, args, cwd: project.root, env: project.env }),
      );
    }
    await server.stop();
    return timings;
  },
};

export const serveFigures: Figure[] = [events, respond];
