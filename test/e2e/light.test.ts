import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { addSpeaker } from '../helpers/speakers.ts';

describe('a cold start', () => {
  it('loads no Markdown parser unless a phase closes that has a text of more than paragraphs', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addSpeaker(project, id, { any: { say: 'Yes.' } });
    project.write(
      '../outside/loaded.cjs',
      "const fs = require('fs'); const { readFileSync } = fs; fs.readFileSync = (...given) => (String(given[0]).endsWith('.cjs') && console.error(given[0]), readFileSync(...given));",
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
    expect(await isLoaded(['respond', 'ben'], '- Yes.')).toBe(false);
    expect(await isLoaded(['tick', '--no-launch'])).toBe(true);

    await project.council(['start', 'Is it lighter?', '--name', 'plain', '--json']);
    for (const id of ['ada', 'ben'])
      await project.council(['respond', id, '--name', 'plain'], { input: 'Yes.' });
    expect(await isLoaded(['tick', '--no-launch', '--name', 'plain'])).toBe(false);
  });

  it('evaluates no schemas and no words of another language to take a contribution or to tick', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'Yes.' } });
    await project.council(['start', 'Is it light?', '--agents', 'ada']);
    const evaluatedBy = async (args: string[], input?: string): Promise<string[]> => {
      const folder = join(project.outside, `coverage-${args[0]}`);
      const env = { NODE_V8_COVERAGE: folder };
      const { code } = await project.council(args, { env, ...(input && { input }) });
      expect({ args, code }).toEqual({ args, code: 0 });
      return readdirSync(folder).flatMap((name) =>
        calledIn(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage),
      );
    };
    const ticking = await evaluatedBy(['tick', '--no-launch']);
    expect(ticking).toContain('src/app/tick.ts');
    expect(ticking.filter((name) => /zod|^fr$|runners\/program/.test(name))).toEqual([]);
    const responding = await evaluatedBy(['respond', 'ada'], 'Yes.');
    expect(responding).toContain('src/app/respond.ts');
    expect(responding.filter((name) => /zod|^fr$/.test(name))).toEqual([]);
  });
});

/** What Node writes of the functions that ran; a module of the bundle is one, and has its path for a name. */
interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

const calledIn = ({ result }: Coverage): string[] =>
  result
    .filter(({ url }) => /hot(-respond)?\.cjs$/.test(url))
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName);
