// Libraries that council's own modules import by name, kept out of council's one file: each group is a file of its own that is
// opened when the first module that needs it is evaluated. What stays in the file is read at every start.
// Gain: 8 ms of `status` (60), 6 ms of `respond` (88).
import { build } from 'esbuild';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';

const YAML = './src/base/yaml.ts';
const GROUPS = {
  markdown: [
    'unified',
    'remark-parse',
    'remark-gfm',
    'remark-frontmatter',
    'mdast-util-to-string',
    'unist-util-visit',
    'vfile',
  ],
  hypertext: ['remark-rehype', 'rehype-sanitize', 'rehype-stringify'],
  page: ['hono/html', 'hono/cookie', 'd3-shape'],
  // The yaml library with the two functions that use it: only they are handed over.
  yaml: [YAML, 'gray-matter'],
  terminal: ['string-width', 'wrap-ansi'],
  files: ['ignore', 'picomatch'],
  lock: ['proper-lockfile'],
  programs: ['execa'],
};

const groupOf = (library: string): string | undefined =>
  Object.entries(GROUPS).find(([, members]) => members.includes(library))?.[0];

/** Every launch needs these: in a program their compiled code is kept as well, which it is not behind `import()`. */
const BY_IMPORT = ['execa'];

/**
 * Takes the libraries out of a bundle: what is left is a module that asks for the group's file. In a program the lock stays in
 * the bundle, and is evaluated on its first use all the same.
 */
export const heavyLibraries = ({ isProgram }: { isProgram: boolean }): Plugin => ({
  name: 'heavy-libraries',
  setup({ initialOptions, onResolve, onLoad }) {
    onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) =>
      (kind === 'import-statement' && groupOf(path) !== undefined) || (isProgram && BY_IMPORT.includes(path))
        ? { path, namespace: 'heavy' }
        : undefined,
    );
    onResolve({ filter: /^\.\/yaml\.ts$/ }, () => ({ path: YAML, namespace: 'heavy' }));
    onResolve({ filter: /^\.\/lib\/.*\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'heavy' }, async ({ path }) => {
      const used = ON_FIRST_USE[path];
      const isInside = isProgram && groupOf(path) === 'lock';
      if (used)
        return {
          contents: onFirstUse(isInside ? `{ default: require('${path}') }` : fromFile(path), used),
          resolveDir: initialOptions.absWorkingDir,
        };
      const names = Object.keys((await import(path)) as object).filter((name) => /^\w+$/.test(name));
      // By another name first: a library may export what is a reserved word.
      const exports = names.map((name, at) => `const m${at} = library.${name}; export { m${at} as ${name} }`);
      return {
        contents: `const library = ${fromFile(path)};\n${exports.join(';\n')};`,
      };
    });
  },
});

/** They export functions: what stands for these opens the file when one of them is first used. */
const ON_FIRST_USE: Record<string, string[]> = {
  'gray-matter': ['default'],
  ignore: ['default'],
  picomatch: ['default'],
  'proper-lockfile': ['default'],
  'remark-gfm': ['default'],
  'remark-parse': ['default'],
  unified: ['unified'],
  // It asks for every emoji there is, which takes 20 ms.
  'string-width': ['default'],
  'wrap-ansi': ['default'],
  [YAML]: ['parseYaml', 'stringifyYaml'],
};
const fromFile = (library: string): string =>
  `require('./lib/${groupOf(library)}.cjs')[${JSON.stringify(library)}]`;
const onFirstUse = (asked: string, names: string[]): string => `
let library;
const opened = () => (library ??= ${asked});
const standIn = (name) =>
  new Proxy(() => {}, { get: (_, key) => opened()[name][key], apply: (_, self, args) => Reflect.apply(opened()[name], self, args) });
${names.map((name, at) => `const m${at} = standIn('${name}'); export { m${at} as ${name} };`).join('\n')}
`;

/** In the libraries nobody reads a stack trace line by line: 1.4 MB of 10.4. */
export const SHORT_NAMES = { minifyIdentifiers: true } satisfies BuildOptions;

/** Writes the file of every group into `lib/` of the output folder, and tells what is in them. */
export async function buildHeavyLibraries(shared: BuildOptions, plugins: Plugin[]): Promise<Metafile[]> {
  const built = await Promise.all(
    Object.entries(GROUPS).map(([name, members]) =>
      build({
        ...shared,
        metafile: true,
        banner: {},
        ...SHORT_NAMES,
        // Its ES modules can be taken in part: 28 KB less to read, 2 ms of 32.
        alias: { yaml: `${shared.absWorkingDir}/node_modules/yaml/browser/index.js` },
        format: 'cjs',
        outdir: undefined,
        outfile: `${shared.outdir}/lib/${name}.cjs`,
        stdin: {
          contents: members
            .map((member, at) => `import * as m${at} from '${member}'; exports['${member}'] = m${at};`)
            .join('\n'),
          resolveDir: shared.absWorkingDir,
        },
        plugins,
      }),
    ),
  );
  return built.map(({ metafile }) => metafile);
}
