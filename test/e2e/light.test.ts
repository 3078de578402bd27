import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { addSpeaker } from '../helpers/speakers.ts';

describe('a cold start', () => {
  it('loads no Markdown parser unless a phase closes or somebody is asked', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addSpeaker(project, id, { any: { say: 'Yes.' } });
    project.write(
      '../outside/loaded.cjs',
      "process.on('exit', () => console.error(Object.keys(require.cache).join('\\n')));",
    );
    const env = { NODE_OPTIONS: `--require ${join(project.outside, 'loaded.cjs')}` };
    const isLoaded = async (args: string[], input?: string): Promise<boolean> => {
      const { code, stderr } = await project.council(args, { env, ...(input && { input }) });
      expect({ args, code }).toEqual({ args, code: 0 });
      return stderr.includes('markdown.cjs');
    };
    await project.council(['start', 'Is it light?', '--json']);
    expect(await isLoaded(['respond', 'ada'], 'Yes.')).toBe(false);
    expect(await isLoaded(['status'])).toBe(false);
    expect(await isLoaded(['tick', '--no-launch'])).toBe(false);
    expect(await isLoaded(['respond', 'ben'], 'Yes.')).toBe(false);
    expect(await isLoaded(['tick', '--no-launch'])).toBe(true);
  });
});
