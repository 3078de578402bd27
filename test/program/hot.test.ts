// The hot commands: the first file knows them by name, they are the same ones as everywhere, and their bundle has nothing of others.
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { bundleOptions, lazyLibraries } from '../../scripts/bundle.ts';
import { HOT } from '../../src/program/load-program.ts';
import * as hot from '../../src/program/specs-hot.ts';
import { specs } from '../../src/program/specs.ts';

it('are named where nothing else is loaded', () => {
  expect(Object.keys(hot).sort()).toEqual([...HOT].sort());
  for (const [name, spec] of Object.entries(hot)) expect(spec.name).toBe(name);
  for (const spec of Object.values(hot)) expect(specs).toContain(spec);
});

/** What tells that a project lies in a database, and opens the driver with the first call. */
const DOOR = ['deferred', 'place'].map((name) => `src/postgres/store/${name}.ts`);

it('read nothing of the server, of its tools, of the panel and of the PostgreSQL driver', async () => {
  const bundle = async (entry: string) => {
    const { metafile } = await build({
      ...bundleOptions(join(import.meta.dirname, '../..')),
      metafile: true,
      entryPoints: [entry],
      plugins: [lazyLibraries(new Set())],
      write: false,
      outdir: 'dist',
    });
    const outputs = Object.values(metafile.outputs);
    return {
      inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
      imports: outputs.flatMap(({ imports }) => imports),
    };
  };
  const foreign = (inputs: string[]): string[] =>
    inputs.filter((path) =>
      // The helper for HTML belongs to pages, which an export shows without a server.
      /^src\/(server\/(http|mcp)|panel|postgres\/store)\/|^node_modules\/(hono(?!\/dist\/(helper|utils)\/html)|@hono|@modelcontextprotocol|pg)\//.test(
        path,
      ),
    );
  const ofHot = await bundle('src/program/hot.ts');
  expect(ofHot.inputs).toContain('src/core/app/respond.ts');
  expect(foreign(ofHot.inputs).sort()).toEqual(DOOR);
  const program = await bundle('src/program/program.ts');
  expect(foreign(program.inputs).length).toBeGreaterThan(DOOR.length);
  // It takes 40 ms to open, and hides behind one import of a constant.
  for (const { imports } of [ofHot, program]) {
    const paths = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
    expect(paths).toContain('node:fs');
    expect(paths).not.toContain('node:http');
  }
});
