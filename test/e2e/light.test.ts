import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { addSpeaker } from '../helpers/speakers.ts';

describe('a cold start', () => {
  it('evaluates no schemas, no words of another language and no library to take a contribution or to tick', async () => {
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
    expect(ticking).toContain('src/core/app/tick.ts');
    expect(ticking.filter((name) => /zod|^fr$|runners\/program|^lib\//.test(name))).toEqual([]);
    const responding = await evaluatedBy(['respond', 'ada'], 'Yes.');
    expect(responding).toContain('src/core/app/respond.ts');
    expect(responding.filter((name) => /zod|^fr$|^lib\//.test(name))).toEqual([]);
  });
});

/** What Node writes of the functions that ran; a module of the bundle is one, and has its path for a name. */
interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

/** The modules of the hot bundle that ran, and the libraries that were opened beside it. */
const calledIn = ({ result }: Coverage): string[] => [
  ...result
    .filter(({ url }) => url.endsWith('/dist/hot.js'))
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName),
  ...result.flatMap(({ url }) => /\/dist\/(lib\/.*)$/.exec(url)?.[1] ?? []),
];
