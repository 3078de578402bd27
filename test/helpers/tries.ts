import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, expect } from 'vitest';
import { readArchive } from '../../src/core/archive/parse.ts';
import type { ReadArchive } from '../../src/core/archive/parse.ts';
import { CLI, filesIn, newProject, projectIn } from './cli.ts';
import type { Project } from './cli.ts';

const made: string[] = [];

afterAll(() => {
  for (const dir of made) fs.rmSync(dir, { recursive: true, force: true });
});

function tempFolder(): string {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'council-try-')));
  made.push(dir);
  return dir;
}

/**
 * A project with its private folder, prepared once; every call of the returned function hands out a fresh copy, in which
 * its programs may run.
 */
export async function model(prepare: (project: Project) => Promise<unknown>): Promise<() => Project> {
  const original = await newProject();
  await prepare(original);
  const { json } = await original.council<{ items: unknown[] }>(['trust', '--list', '--json']);
  return () => {
    const scratch = tempFolder();
    fs.cpSync(dirname(original.root), scratch, { recursive: true });
    const copy = projectIn(scratch, join(scratch, 'project'));
    // A copy is another folder: what was trusted in the original is not trusted in it.
    if (json.items.length > 0) trustAll(copy);
    return copy;
  };
}

/** Says what the owner of a project from elsewhere says in a script. */
export function trustAll({ root, env }: Project): void {
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'trust', '--yes'], { cwd: root, env });
  if (status !== 0) throw new Error(`council trust --yes failed: ${stderr.toString()}`);
}

/** Deletes a copy that is no longer needed. */
export const drop = (project: Project): void =>
  fs.rmSync(dirname(project.root), { recursive: true, force: true });

let preload: string | undefined;

/**
 * The environment that puts the failpoint preload into a command, for calls inside this project's folders only, or inside
 * `part` of them: `state`, `project/memory`.
 */
export function failing(
  project: Project,
  settings: Record<string, string>,
  part = '',
): Record<string, string> {
  preload ??= bundled();
  const under = join(dirname(project.root), part);
  return { NODE_OPTIONS: `--import=${preload}`, FAIL_UNDER: under, ...settings };
}

/** As plain JavaScript: stripping its types in every one of hundreds of processes is slow. */
function bundled(): string {
  const outfile = join(tempFolder(), 'failpoint.mjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'failpoint.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return pathToFileURL(outfile).href;
}

/** How many counted calls a command makes when nothing fails, in `part` of its folders; it must succeed. */
export async function countCalls(
  project: Project,
  args: string[],
  { input, kinds, part = '' }: { input?: string | undefined; kinds: string; part?: string },
): Promise<number> {
  const file = join(tempFolder(), 'calls');
  const { code, stderr } = await project.council(args, {
    input,
    env: failing(project, { FAIL_COUNT_FILE: file, FAIL_KINDS: kinds }, part),
  });
  if (code !== 0) throw new Error(`"council ${args.join(' ')}" failed: ${stderr}`);
  return Number(fs.readFileSync(file, 'utf8'));
}

const ID = '[0-9a-f-]{36}';
/** Every file that may lie in a project and its private folder when no command is at work. */
const EXPECTED = [
  /^project\/(COUNCIL\.md|\.git(ignore|attributes)|agents\/[^/]+|modes\/[^/]+)$/,
  /^project\/conseils\/\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$/,
  /^project\/memory\/shared\/council-[a-z0-9-]+\.md$/,
  /^project\/memory\/shared\/\.versions\/[a-z0-9-]+\/\d+\.md$/,
  /^project\/memory\/shared\/channels\/council-[a-z0-9-]+\/\d{4}-\d\d-\d\d\/msg-\d{8}-\d{6}-council-[0-9a-f]{4}\.json$/,
  // What lasts, and was told once.
  /^project\/memory\/shared\/\.versions\/\.health\/(\.versions\/told\/\d+|told)\.md$/,
  // Ids of messages, reserved across channels.
  /^project\/memory\/shared\/\.versions\/\.ids\/\d{4}-\d\d-\d\d\/msg-\d{8}-\d{6}-[a-z0-9-]+\.json$/,
  // The turn of a launch whose owner was killed: void, since its processes are gone.
  /^state\/council\/turns\/[0-9a-f]{64}\.json$/,
  // The row of a heartbeat that was killed is told as dead, and forgotten a day later.
  /^project\/memory\/shared\/\.versions\/\.heartbeats\/[^/]+$/,
  // Who beats: one that died is known by the age of its file, and forgotten.
  /^project\/memory\/shared\/\.versions\/\.heartbeats\/[a-z0-9-]+\.json$/,
  /^project\/memory\/audit\/trail\.ndjson$/,
  /^project\/memory\/reports\/[a-z0-9-]+_\d{8}_\d{6}(_\d+)?\.md$/,
  /^project\/memory\/logs\/\d{4}-\d\d-\d\d(\.\d+)?\.ndjson$/,
  /^project\/memory\/shared\/\.edits\/council-[a-z0-9-]+-\d+-[0-9a-f]{8}\.md$/,
  new RegExp(`^project/memory/shared/\\.late/${ID}/[a-z0-9-]+-[A-Z]+-\\d+-[0-9a-f]{16}$`),
  new RegExp(
    `^state/council/${ID}/((committed-|dropped-)?sealed-[a-z0-9-]+-\\d+-[0-9a-f]{32}\\.json|kept-[a-zA-Z0-9-]+|token-[a-z0-9-]+|\\.archived)$`,
  ),
  new RegExp(`^state/council/${ID}/lease-${ID}(-[23])?-(group\\.json|output|exit\\.json)$`),
  new RegExp(`^state/council/${ID}/log-[a-z0-9-]+\\.\\d{15}$`),
  /^state\/council\/kept\/[^/]+$/,
  // What ticks have told of what lasts.
  /^state\/council\/told\/[0-9a-f]+\.json$/,
];

/** Files that nobody expects (temps, locks, half-written ones) below `project` and `state`, and state files without a council. */
export function leftovers(project: Project, below = ''): string[] {
  const scratch = dirname(project.root);
  const folders = fs.readdirSync(project.root, { recursive: true, encoding: 'utf8' });
  const locks = folders.filter((path) => path.endsWith('.lock')).map((path) => join('project', path));
  const files = ['project', 'state'].flatMap((part) => filesIn(join(scratch, part)));
  const strange = files
    .map((path) => relative(scratch, path))
    .filter((path) => !EXPECTED.some((e) => e.test(path)));
  return [...new Set([...strange, ...locks])].filter((path) => path.startsWith(below)).sort();
}

/** The one archive of a project; every text in it has its hash. */
export function theArchive(project: Project, at = ''): ReadArchive {
  const paths = project.archives();
  expect(paths, at).toHaveLength(1);
  const archive = readArchive(project.read(paths[0]!).toString('utf8'), paths[0]!);
  expect(archive.altered, at).toEqual([]);
  return archive;
}

/** What was said, as participant to text; nobody is there twice. */
export function saidIn(
  { contributions }: Pick<ReadArchive, 'contributions'>,
  at = '',
): Record<string, string> {
  const said = Object.fromEntries(contributions.map((c) => [c.by, c.text]));
  expect(Object.keys(said), at).toHaveLength(contributions.length);
  return said;
}

/** What was said, as participant to text; after round 1 with the tour: `ann 2`. Nobody is there twice in a tour. */
export function saidByTour(
  { contributions }: Pick<ReadArchive, 'contributions'>,
  at = '',
): Record<string, string> {
  return saidIn(
    { contributions: contributions.map((c) => (c.tour === 1 ? c : { ...c, by: `${c.by} ${c.tour}` })) },
    at,
  );
}

/** Runs the jobs, `lanes` at a time, in order. */
export async function inLanes<T>(jobs: T[], lanes: number, run: (job: T) => Promise<void>): Promise<void> {
  const queue = [...jobs];
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/**
 * Some of the calls of a command, evenly from a random one on, so that another run plays others: at most FAULT_CALLS of them,
 * 20 unless it says otherwise, or "all".
 */
export function someCalls(count: number): number[] {
  const { FAULT_CALLS = '20' } = process.env;
  const step = FAULT_CALLS === 'all' ? 1 : Math.max(1, Math.ceil(count / Number(FAULT_CALLS)));
  const first = 1 + Math.floor(Math.random() * step);
  return numbers(count).filter((n) => n >= first && (n - first) % step === 0);
}

/** 1 to `count`. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
