// Bundles the CLI, the library and the offline panel into dist/. A cold start pays for every file it opens, so council's
// own code is one file and each library that only some commands need is another, opened when it is needed.
// Gains are milliseconds of processor time of `respond` (80 of them) or another command, medians of 20 paired runs.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { buildHeavyLibraries, heavyLibraries, SHORT_NAMES } from './heavy-libraries.ts';
import { HOT } from '../src/cli/hot-names.ts';
import { writeNotices } from './notices.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'dist');

if (process.argv.includes('--if-needed') && upToDate()) process.exit(0);

const shared: BuildOptions = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  // 2.1 MB of 7.7, no time. Shorter names would be 1.6 MB and 3 ms more, and make every stack trace unreadable.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  // CommonJS dependencies ask for require(); an ES module has none of its own.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};

/**
 * An ES import of a built-in module calls every getter of it, and some load half of Node (node:util its diff and
 * its decoders, node:process every flag): a fifth of a cold start. Taken as CommonJS, nothing is called. Commander's
 * node:child_process, which council does not use, is loaded on the first call.
 * Gain: 10 ms; of these 6 by child_process, and 8 by inheriting instead of copying (see OBJECTS).
 */
const lightBuiltins: Plugin = {
  name: 'light-builtins',
  setup({ onResolve, onLoad }) {
    onResolve(
      {
        filter:
          /^(node:)?(process|child_process|util|buffer|os|events|readline|timers\/promises|fs|fs\/promises)$/,
      },
      ({ path, kind }) =>
        kind === 'dynamic-import' ? undefined : { path: path.replace('node:', ''), namespace: 'light' },
    );
    onLoad({ filter: /./, namespace: 'light' }, ({ path }) => ({
      contents:
        path === 'child_process'
          ? LAZY_SPAWN
          : OBJECTS.has(path)
            ? `module.exports = globalThis.process.getBuiltinModule('node:${path}')`
            : `module.exports = Object.create(globalThis.process.getBuiltinModule('node:${path}'))`,
    }));
  },
};
/** Inheriting from these would not do: one keeps state in itself, the other is a function. All others are inherited from, because
 * esbuild looks at every property that an object has of its own, and looking loads some of them. */
const OBJECTS = new Set(['process', 'events']);
const LAZY_SPAWN =
  "module.exports = { spawn: (...args) => globalThis.process.getBuiltinModule('node:child_process').spawn(...args) }";

/**
 * Below proper-lockfile, signal-exit loads node:assert (7 ms) for the one check it makes when it starts, and graceful-fs (4 ms)
 * stands in for a fs that council gives itself. Gain: 3 ms and 4 ms.
 */
const lightLock: Plugin = {
  name: 'light-lock',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(assert|graceful-fs)$/ }, ({ path }) => ({ path, namespace: 'light-lock' }));
    onLoad({ filter: /./, namespace: 'light-lock' }, ({ path }) => ({
      contents:
        path === 'assert' ? LIGHT_ASSERT : "module.exports = globalThis.process.getBuiltinModule('node:fs')",
    }));
  },
};
const LIGHT_ASSERT = `module.exports = new Proxy({ equal(a, b, message) { if (a != b) throw new Error(message) } }, {
  get: (own, name) => own[name] ?? globalThis.process.getBuiltinModule('node:assert')[name],
})`;

/** gray-matter binds js-yaml when it loads; council gives it an engine of its own, so that nothing of js-yaml is ever called. */
const withoutJsYaml: Plugin = {
  name: 'without-js-yaml',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^js-yaml$/ }, ({ path }) => ({ path, namespace: 'without-js-yaml' }));
    onLoad({ filter: /./, namespace: 'without-js-yaml' }, () => ({
      contents: "exports.safeLoad = exports.safeDump = () => { throw new Error('js-yaml is not bundled'); }",
    }));
  },
};

/** Programs for hot commands, with nothing of the others. Gain: 8 ms of 80 of `respond` beside one file for all commands. */
const hotPrograms: Plugin = {
  name: 'hot-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^hot:/ }, ({ path }) => ({ path: path.slice('hot:'.length), namespace: 'hot' }));
    onLoad({ filter: /./, namespace: 'hot' }, ({ path: names }) => ({
      resolveDir: join(root, 'src/cli'),
      contents: `import { runCommand } from './run-command.ts';
import { ${names} } from './specs-hot.ts';
export const main = (argv) => runCommand(argv, [${names}]);`,
    }));
  },
};

/** The files of hot commands, and of each the commands that are in it. */
function hotFiles(): Record<string, string> {
  const files = [...new Set(Object.values(HOT))];
  const commandsOf = (file: string): string[] => Object.keys(HOT).filter((name) => HOT[name] === file);
  return Object.fromEntries(files.map((file) => [file, `hot:${commandsOf(file).join()}`]));
}

const POSTGRES = 'src/store/postgres/open.ts';

rmSync(out, { recursive: true, force: true });
const lazy = new Set<string>();
const metafiles: Metafile[] = [];
/** Programs are CommonJS: their compiled code can be kept with the functions in it (`src/cli/load-program.ts`). */
const programs: BuildOptions = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: {},
  define: { 'import.meta.dirname': '__dirname' },
};
await bundle({
  ...programs,
  entryPoints: { program: 'src/cli/program.ts' },
  plugins: [heavyLibraries({ isProgram: true }), lazyLibraries(lazy), lightLock, lightBuiltins],
});
await bundle({
  ...programs,
  entryPoints: hotFiles(),
  plugins: [hotPrograms, heavyLibraries({ isProgram: true }), lazyLibraries(lazy), lightLock, lightBuiltins],
});
await bundle({
  entryPoints: { index: 'src/index.ts' },
  plugins: [lazyLibraries(lazy), heavyLibraries({ isProgram: false }), lightBuiltins],
});
await bundle({ entryPoints: { 'lib/postgres': POSTGRES }, plugins: [lazyLibraries(lazy, '.')] });
await bundle({
  entryPoints: { 'markdown-worker': 'src/app/page/markdown-worker.ts' },
  plugins: [lazyLibraries(lazy), heavyLibraries({ isProgram: false }), lightBuiltins],
});
// For browsers: what the pages of the server do beyond what they do without it.
await bundle({
  entryPoints: { page: 'src/serve/script/main.ts' },
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  banner: {},
});
await bundle({
  entryPoints: Object.fromEntries([...lazy].map((name) => [`lib/${name}`, name])),
  ...SHORT_NAMES,
  // 3.8 MB of 9.4 here and in the panel; 13 ms of 49 for a program of the panel.
  splitting: true,
  chunkNames: 'lib/shared-[hash]',
});
metafiles.push(...(await buildHeavyLibraries(shared, [withoutJsYaml, lightLock])));
await bundle({
  entryPoints: { council: 'src/cli/main.ts', call: 'src/cli/call-main.ts' },
  banner: {},
  define: { COUNCIL_BUILD: JSON.stringify(asScripts(out, join(out, 'lib'))) },
});
await bundle({
  entryPoints: { panel: 'src/panel/main.ts' },
  ...SHORT_NAMES,
  splitting: true,
  chunkNames: 'panel/[name]-[hash]',
});
writeNotices(root, out, metafiles);

if (!process.argv.includes('--no-types')) {
  // Loaded here: TypeScript itself takes longer than everything above.
  const { writeDeclarations } = await import('./declarations.ts');
  writeDeclarations(root, join(out, 'index.d.ts'));
}

async function bundle(options: BuildOptions): Promise<void> {
  const { metafile } = await build({ ...shared, ...options, metafile: true });
  metafiles.push(metafile);
}

/**
 * Makes scripts of the programs: functions of what they are given (`src/cli/load-program.ts`); in ASCII, for what is read as Latin-1 takes half of the memory of a text that is not, and esbuild
 * leaves regular expressions as they are; and without `import()`, which a script has not. Returns a hash of all programs.
 */
function asScripts(...folders: string[]): string {
  const hash = createHash('sha256');
  const names = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  for (const path of names.filter((name) => name.endsWith('.cjs'))) {
    const code = readFileSync(path, 'utf8')
      .replaceAll(/\bimport\(("(?:\.\/lib\/|node:)[^"]+")\)/g, 'importModule($1)')
      .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (/\bimport\(/.test(code)) throw new Error(`${path} has an import() that the loader does not know.`);
    const program = `(function (module, exports, require, importModule, __dirname) {${code}\n})`;
    // The library and the thread of Markdown ask for these with Node's own require, which calls no function.
    const script =
      dirname(path) === out
        ? program
        : `((run) => (typeof module === 'object' ? run(module, exports, require) : run))(${program})`;
    writeFileSync(path, script);
    hash.update(script);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Libraries behind `import()` stay out of council's own file, and so does the PostgreSQL driver: whoever keeps a project in files
 * never opens it. `found` collects the libraries to be bundled into `dir`, beside it.
 */
function lazyLibraries(found: Set<string>, dir = './lib'): Plugin {
  return {
    name: 'lazy-libraries',
    setup({ onResolve }) {
      onResolve({ filter: /\/store\/postgres\/open\.ts$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: './lib/postgres.js', external: true } : undefined,
      );
      onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) => {
        if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined;
        found.add(path);
        return { path: `${dir}/${path}.js`, external: true };
      });
    },
  };
}

function upToDate(): boolean {
  const built = join(out, 'council.js');
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
