// Vitest's globalSetup: what every test of programs would make anew, made once for the whole run.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { TestProject } from 'vitest/node';

interface Ready {
  /** The folder of a project right after `council init`. */
  project: string;
  /** Where Node keeps what it has compiled of programs: they are the same in every test. */
  compiled: string;
  /** The program of scripted participants, without types. */
  speaker: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Missing where nothing is built. */
    ready?: Ready;
  }
}

const CLI = join(import.meta.dirname, '../../dist/council.js');

export function setup(project: TestProject): (() => void) | undefined {
  if (!fs.existsSync(CLI)) return undefined;
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'council-ready-')));
  const ready = {
    project: join(folder, 'project'),
    compiled: join(folder, 'compiled'),
    speaker: join(folder, 'speak.mjs'),
  };
  fs.mkdirSync(ready.project);
  const homes = ['HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'];
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'init', '--no-detect'], {
    cwd: ready.project,
    env: {
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE: ready.compiled,
      ...Object.fromEntries(homes.map((home) => [home, join(folder, 'home')])),
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`init failed: ${stderr}`);
  buildSync({
    entryPoints: [join(import.meta.dirname, 'speak.ts')],
    outfile: ready.speaker,
    format: 'esm',
    platform: 'node',
  });
  project.provide('ready', ready);
  return () => fs.rmSync(folder, { recursive: true, maxRetries: 3 });
}
