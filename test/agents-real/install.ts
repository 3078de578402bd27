import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** What has to be installed for each agent program, and the scripts of its package that make it work. */
const PACKAGES = {
  claude: { name: '@anthropic-ai/claude-code', script: 'install.cjs' },
  codex: { name: '@openai/codex', script: null },
  gemini: { name: '@google/gemini-cli', script: null },
  opencode: { name: 'opencode-ai', script: 'postinstall.mjs' },
} as const;

export type Kind = keyof typeof PACKAGES;
export const KINDS = Object.keys(PACKAGES) as Kind[];

/** An agent program that can be started, or why it cannot. */
export type Installed = { program: string; version: string } | { missing: string };

declare module 'vitest' {
  interface ProvidedContext {
    clis: Record<Kind, Installed>;
  }
}

const MINUTES = 60_000;

/**
 * Installs the four agent programs into a temp folder once for all test files, or takes those of the folder that
 * `COUNCIL_TEST_CLIS` names. One that cannot be had is told, and its tests are skipped; without any there is no run.
 */
export function setup(project: TestProject): () => void {
  const given = process.env.COUNCIL_TEST_CLIS;
  const folder = given ?? fs.mkdtempSync(join(tmpdir(), 'council-clis-'));
  const clis = Object.fromEntries(
    KINDS.map((kind) => [kind, given === undefined ? install(kind, folder) : look(kind, folder)]),
  ) as Record<Kind, Installed>;
  for (const [kind, cli] of Object.entries(clis)) {
    console.log('missing' in cli ? `${kind}: skipped, ${cli.missing}` : `${kind}: ${cli.version}`);
  }
  const remove = (): void => {
    if (given === undefined) fs.rmSync(folder, { recursive: true, force: true });
  };
  if (Object.values(clis).every((cli) => 'missing' in cli)) {
    remove();
    throw new Error(`No agent program in ${folder}: see above.`);
  }
  project.provide('clis', clis);
  return remove;
}

function install(kind: Kind, folder: string): Installed {
  const { name, script } = PACKAGES[kind];
  console.log(`Installing ${name} …`);
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', name];
  const installed = run('npm', args, folder);
  if (installed.status !== 0) return { missing: `npm install ${name} failed: ${last(installed)}` };
  const home = join(folder, 'node_modules', name);
  // npm runs no scripts of packages that nobody has allowed; these two fetch nothing, they put a binary in its place.
  const prepared = script === null ? null : run(process.execPath, [join(home, script)], home);
  if (prepared && prepared.status !== 0) return { missing: `${name}/${script} failed: ${last(prepared)}` };
  return look(kind, folder);
}

function look(kind: Kind, folder: string): Installed {
  const program = join(folder, 'node_modules/.bin', kind);
  if (!fs.existsSync(program)) return { missing: `there is no ${program}` };
  const home = fs.mkdtempSync(join(tmpdir(), 'council-version-'));
  const asked = run(program, ['--version'], home, { HOME: home });
  fs.rmSync(home, { recursive: true, force: true });
  const version = /\d+\.\d+\.\d+/.exec(asked.stdout)?.[0];
  return asked.status === 0 && version !== undefined
    ? { program, version }
    : { missing: `${program} --version failed: ${last(asked)}` };
}

function run(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): SpawnSyncReturns<string> {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return spawnSync(program, args, {
    cwd,
    env: { ...process.env, PATH, ...env },
    encoding: 'utf8',
    timeout: 10 * MINUTES,
    killSignal: 'SIGKILL',
  });
}

const last = ({ stderr, error, status }: SpawnSyncReturns<string>): string =>
  error?.message ?? ((stderr ?? '').trim().split('\n').at(-1) || `exit code ${status}`);
