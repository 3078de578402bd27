// The figure of the server: a contribution through it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Figure, Timings } from './figure.ts';
import { CLI, timeOne } from './measure.ts';
import { makeProject, openCouncil } from './projects.ts';
import type { Project } from './projects.ts';

const PEOPLE = ['ana', 'ben', 'cleo'];

/** `council serve` of a project, once it listens. */
async function startServer({ root, env }: Project) {
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
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const respond: Figure = {
  name: 'serve-respond',
  what: 'a contribution of 1 KB through the server, over HTTP',
  against: 'the same with council respond on the command line',
  goal: null,
  async measure(scratch) {
    const project = makeProject(scratch, PEOPLE);
    openCouncil(project, PEOPLE, 1024);
    const server = await startServer(project);
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

export const serveFigures: Figure[] = [respond];
