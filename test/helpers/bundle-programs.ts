// Programs of tests as plain JavaScript: to strip types in every one of hundreds of processes is slow.
import { buildSync } from 'esbuild';

/** Bundles TypeScript files into `outdir`, each as `NAME.mjs`. */
export function bundlePrograms(outdir: string, ...entryPoints: string[]): void {
  buildSync({
    entryPoints,
    outdir,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}
