import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { BEHAVIOURS } from '../helpers/worker-behaviours.ts';
import { IN_LINES, IN_PROMPTS, OUTCOMES } from '../helpers/worker-outcomes.ts';

/** The whole walk: every behaviour as a real program, told its prompt or spoken with by lines. No success that nobody said, and an end. */
const PROGRAM = join(import.meta.dirname, '../helpers/worker-behaviours.ts');
/** As many as have ids on the wire, and to spare. */
const MOST = 60;
const names = Object.keys(BEHAVIOURS);
const parts = Array.from({ length: Math.ceil(names.length / MOST) }, (_, at) =>
  names.slice(at * MOST, (at + 1) * MOST),
);

interface Listed {
  tasks: { id: string; state: string; error: { code: string } | null; question: unknown }[];
}

it.each(
  (['prompt', 'line'] as const).flatMap((mode) => parts.map((part, at) => [mode, at + 1, part] as const)),
)(
  'workers that are told by %s, part %i, end as they should',
  async (mode, _, part) => {
    const project = await newProject();
    const plan = part.map((name, at) => {
      const limit = name === 'silent' || name === 'ackonly' ? '5s' : '120s';
      const input = mode === 'line' ? '  input: line\n' : '';
      project.write(
        `agents/w-${name.toLowerCase()}.md`,
        `---\nname: w-${name.toLowerCase()}\ncouncil:\n  command: ['\${NODE}', ${PROGRAM}, ${name}, ${mode}]\n${input}  timeout: ${limit}\n---\n`,
      );
      return `- T${at + 1}: x\n  - to: w-${name.toLowerCase()}`;
    });
    project.write('PLAN.md', `# All\n\n${plan.join('\n')}\n`);
    const list = async (): Promise<Listed['tasks']> =>
      (await project.council<Listed>(['task', 'list', '--all', '--json'])).json.tasks;
    let isPlayed = false;
    const playing = project.launch(['task', 'plan', 'PLAN.md', '--trust', '--concurrency', '4']);
    const ended = playing.ended.finally(() => (isPlayed = true));
    while (!isPlayed) {
      for (const { id, question } of await list().catch(() => []))
        if (question) await project.council(['task', 'answer', id, '1']);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000))]);
    }
    const outcomes = (await list()).map(({ id, state, error }) => [
      part[Number(id.slice(1)) - 1],
      state === 'D' ? 'D' : error?.code,
    ]);
    const own = mode === 'line' ? IN_LINES : IN_PROMPTS;
    const wanted = part.map((name) => [name, own[name] ?? OUTCOMES[name]]);
    expect(Object.fromEntries(outcomes), playing.output()).toEqual(Object.fromEntries(wanted));
  },
  900_000,
);
