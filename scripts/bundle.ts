// How esbuild bundles council: what all bundles have in common, and what stays out of them until it is needed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** Options of every bundle for Node; `root` is the folder of the project. */
export const bundleOptions = (root: string): BuildOptions => ({
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  // 2.1 MB of 7.7, no time. Shorter names would be 1.6 MB and 3 ms more, and make every stack trace unreadable.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  // council gives the lock a fs of its own (4 ms of 80 of `status`); of the yaml library's ES modules a part is enough (3 ms).
  alias: { 'graceful-fs': 'node:fs', yaml: join(root, 'node_modules/yaml/browser/index.js') },
  logLevel: 'warning',
  // CommonJS dependencies ask for require(); an ES module has none of its own.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});

/** Parts of council's own code that are bundles of their own, each opened by `import()`. */
const APART: Record<string, string> = {
  './hot.ts': './hot.js',
  './program.ts': './program.js',
  // Who keeps a project in files never opens it.
  './store/open.ts': './lib/postgres.js',
  '../store/open.ts': './lib/postgres.js',
};

/**
 * What stands behind `import()` and is a library, or a bundle of its own, stays out of a bundle. `found` collects the libraries, to be
 * bundled into `dir`, beside it.
 */
export const lazyLibraries = (found: Set<string>, dir = './lib'): Plugin => ({
  name: 'lazy-libraries',
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z@.]/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined;
      if (path.startsWith('.'))
        return APART[path] === undefined ? undefined : { path: APART[path], external: true };
      found.add(path);
      return { path: `${dir}/${path}.js`, external: true };
    });
  },
});

/** gray-matter binds js-yaml when it loads; council gives it an engine of its own, so that nothing of js-yaml is ever called. */
export const withoutJsYaml: Plugin = {
  name: 'without-js-yaml',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^js-yaml$/ }, ({ path }) => ({ path, namespace: 'without-js-yaml' }));
    onLoad({ filter: /./, namespace: 'without-js-yaml' }, () => ({
      contents: "exports.safeLoad = exports.safeDump = () => { throw new Error('js-yaml is not bundled'); }",
    }));
  },
};

const EMOJI = String.raw`/^\p{RGI_Emoji}$/v`;

/** string-width reads the table of all emoji when it loads, which takes 20 ms of a command; most texts hold none. */
export const emojiOnDemand: Plugin = {
  name: 'emoji-on-demand',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(EMOJI)) throw new Error(`${path} does not hold ${EMOJI} any more.`);
      const mayBe = String.raw`/[\p{Extended_Pictographic}\p{Regional_Indicator}\u20E3]/u`;
      const test = `return ${mayBe}.test(segment) && (this.table ??= ${EMOJI}).test(segment);`;
      return { contents: text.replace(EMOJI, () => `{ test(segment) { ${test} } }`) };
    });
  },
};
