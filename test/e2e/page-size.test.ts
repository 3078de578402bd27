// What a council weighs in a browser: the page, its style and its script, by bytes, from the server that users start.
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { must } from '../helpers/scenarios.ts';
import { serving } from '../helpers/serve.ts';
import { visitorAt } from '../helpers/visitor.ts';

const KB = 1024;
const PEOPLE = ['ada', 'ben', 'cleo', 'dov', 'eve', 'fay', 'gus', 'hal'];

/** A kilobyte as people write it: a position, prose, a list, a quote, some code. */
const kilobyte = (by: string): string =>
  `---\nposition: ${by < 'e' ? 'PostgreSQL' : 'Redis'}\n---\n\nI have run **both of them**, says ${by}; *neither* was boring.

> A lost job means a customer without an invoice.

- 40 jobs a minute today, 400 expected ([figures](https://example.org/figures))
- nobody on call knows \`redis-cli\` by heart

`
    .padEnd(KB, 'What is written together is restored together, which is what matters at night. ')
    .slice(0, KB);

describe('a council of eight who said 1 KB each', () => {
  it('takes at most 60 KB in a browser, 20 KB of them script', async () => {
    const project = await newProject();
    for (const id of PEOPLE) await must(project, ['agents', 'add', id, '--runner', 'human']);
    const seats = ['--agents', PEOPLE.join(','), '--coordinator', ''];
    for (const [name, mode] of [
      ['live', 'debate'],
      ['over', 'synthesis'],
    ] as const) {
      await must(project, [
        'start',
        'Where should the queue live?',
        ...seats,
        '--name',
        name,
        '--mode',
        mode,
      ]);
      for (const id of PEOPLE)
        expect((await project.council(['respond', id, '--name', name], { input: kilobyte(id) })).code).toBe(
          0,
        );
    }
    await must(project, ['tick', '--no-launch', '--name', 'live']);
    while (project.archives().length === 0) await must(project, ['tick', '--no-launch', '--name', 'over']);
    const server = await serving(project);
    const visitor = visitorAt(server.url);
    const archive = project.archives()[0]!.replace(/^.*\/|\.md$/g, '');
    for (const path of ['/councils/live', '/councils/live/seat?as=ada', `/archives/${archive}`]) {
      const { status, body } = await visitor.get(path);
      expect([path, status]).toEqual([path, 200]);
      // It is the council, with everything that was said.
      expect(body.split('</em> was boring.').length - 1).toBeGreaterThanOrEqual(PEOPLE.length);
      const loaded = [...body.matchAll(/(?:src|href)="(\/[^"]+\.(?:css|js))"/g)].map(([, at]) => at!);
      expect(loaded).toEqual(['/style.css', '/page.js']);
      const parts = await Promise.all(loaded.map(async (at) => (await visitor.get(at)).body));
      const [style = 0, script = 0] = parts.map((part) => Buffer.byteLength(part));
      expect(script).toBeGreaterThan(KB);
      expect(script).toBeLessThanOrEqual(20 * KB);
      expect(Buffer.byteLength(body) + style + script).toBeLessThanOrEqual(60 * KB);
    }
    await server.stop();
  });
});
