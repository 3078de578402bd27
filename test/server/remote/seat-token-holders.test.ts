import { expect, it } from 'vitest';
import { createHolderFinder } from '../../../src/server/remote/host.ts';
import { createProcessCli } from '../../../src/core/cli/io.ts';
import { newProject } from '../../helpers/cli.ts';
import type { Started } from '../../helpers/documents.ts';
import { addAgent } from '../../helpers/speakers.ts';

it('fault 20: wrong tokens wait for one look a second at all councils, and known ones for none', async () => {
  const project = await newProject();
  addAgent(project, 'ana');
  const open = async (name: string): Promise<string> => {
    const args = ['start', 'Who?', '--identity', 'token', '--name', name, '--json'];
    const { json } = await project.council<Started & { tokens: Record<string, string> }>(args);
    return json.tokens.ana!;
  };
  const [first, second] = [await open('first'), await open('second')];
  const cli = {
    ...createProcessCli({ json: false, root: undefined, features: [] }),
    cwd: project.root,
    env: project.env,
  };
  const find = createHolderFinder(cli);
  const of = (council: string) => ({
    participant: 'ana',
    council,
    conversationId: expect.any(String) as string,
  });
  const timed = async (asked: () => Promise<unknown>): Promise<number> => {
    const before = performance.now();
    await asked();
    return performance.now() - before;
  };
  expect(await find(first)).toEqual(of('first'));
  const wrong = await timed(() => Promise.all(Array.from({ length: 50 }, () => find('wrong'))));
  expect(wrong).toBeGreaterThan(700);
  const found: string[] = [];
  await Promise.all(['wrong', first].map((token) => find(token).then(() => found.push(token))));
  expect(found).toEqual([first, 'wrong']);

  // What begins while others wait is seen by the look that they wait for, or by the next one.
  const third = await open('third');
  expect(await Promise.all([find('wrong'), find(third), find('wrong')])).toEqual([
    undefined,
    of('third'),
    undefined,
  ]);
  // A council that is over opens nothing, from this moment on.
  await project.council(['cancel', '--name', 'second', '--why', 'enough']);
  expect(await Promise.all([find(second), find(third)])).toEqual([undefined, of('third')]);
});
