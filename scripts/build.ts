// Bundles the CLI, the library and the offline panel into dist/. A cold start pays for every file it opens, so council's
// own code is one file, with a smaller one for the hot commands, and each library behind `import()` is another.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions, Metafile } from 'esbuild';
import { bundleOptions, emojiOnDemand, lazyLibraries, withoutJsYaml } from './bundle.ts';
import { writeNotices } from './notices.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
/** Takes the place of dist/ at the end: a build that breaks leaves the last one as it is. */
const out = `${dist}.new`;

const isTyped = !process.argv.includes('--no-types');
if (process.argv.includes('--if-needed') && upToDate()) process.exit(0);

rmSync(out, { recursive: true, force: true });
const lazy = new Set<string>();
const metafiles: Metafile[] = [];
const plugins = [lazyLibraries(lazy), withoutJsYaml, emojiOnDemand];
/** In the libraries nobody reads a stack trace line by line: 1.4 MB of 10.4. */
const apart: BuildOptions = { minifyIdentifiers: true, splitting: true };

// Each by itself: files that share their parts would be opened by the dozen, which takes twice the time of all.
for (const [name, path] of Object.entries({
  program: 'src/program/program.ts',
  hot: 'src/program/hot.ts',
  index: 'src/index.ts',
}))
  await bundle({ entryPoints: { [name]: path }, plugins });
await bundle({
  entryPoints: { 'lib/postgres': 'src/postgres/store/open.ts' },
  plugins: [lazyLibraries(lazy, '.')],
});
await bundle({
  entryPoints: { council: 'src/program/main.ts', call: 'src/program/call-main.ts' },
  plugins,
  banner: {},
});
// For browsers: what the pages of the server do beyond what they do without it.
await bundle({
  entryPoints: { page: 'src/server/http/script/main.ts' },
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  banner: {},
});
await bundle({
  entryPoints: {
    // Here they share the Markdown libraries with `show`.
    'markdown-worker': 'src/server/page/use/markdown-worker.ts',
    panel: 'src/panel/main.ts',
    ...Object.fromEntries([...lazy].map((name) => [`lib/${name}`, name])),
  },
  ...apart,
  chunkNames: 'lib/shared-[hash]',
});
writeNotices(root, out, metafiles);

if (isTyped) {
  // Loaded here: TypeScript itself takes longer than everything above.
  const { writeDeclarations } = await import('./declarations.ts');
  writeDeclarations(root, join(out, 'index.d.ts'));
}

rmSync(dist, { recursive: true, force: true });
renameSync(out, dist);

async function bundle(options: BuildOptions): Promise<void> {
  const { metafile } = await build({ ...bundleOptions(root), outdir: out, ...options, metafile: true });
  metafiles.push(metafile);
}

function upToDate(): boolean {
  const built = join(dist, isTyped ? 'index.d.ts' : 'council.js');
  if (!existsSync(built)) return false;
  const since = statSync(built).mtimeMs;
  return ['src', 'templates', 'scripts', 'package.json'].every((name) => newest(join(root, name)) <= since);
}

function newest(path: string): number {
  const stat = statSync(path);
  return stat.isDirectory()
    ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
    : stat.mtimeMs;
}
