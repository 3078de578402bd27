import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, cleanEnv } from './measure.ts';

/** A project with a home of its own: nothing of this machine's user is read or written. */
export interface Project {
  root: string;
  env: NodeJS.ProcessEnv;
}

/** An initialised project in `dir`, with people as agents. */
export function makeProject(dir: string, people: string[]): Project {
  const root = join(dir, 'project');
  const env = cleanEnv(join(dir, 'home'));
  mkdirSync(root, { recursive: true });
  mkdirSync(join(dir, 'home', 'tmp'), { recursive: true });
  run({ root, env }, ['init', '--no-detect']);
  for (const id of people)
    writeFileSync(join(root, 'agents', `${id}.md`), `---\nname: ${id}\ndescription: Somebody.\n---\n`);
  return { root, env };
}

/** Runs a command of council and returns what it printed; throws when it fails. */
export function run({ root, env }: Project, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  if (status !== 0) throw new Error(`council ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

/** Opens a council of `people` whose state file has about `bytes` bytes: the brief makes up what is missing. */
export function openCouncil(project: Project, people: string[], bytes: number): void {
  const brief = join(project.root, 'brief.md');
  const rest = 2600 + 260 * people.length;
  writeFileSync(brief, prose(Math.max(100, bytes - rest)));
  run(project, ['start', 'What should be done?', '--agents', people.join(','), '--brief', brief]);
}

/**
 * The same project so many times: a round that changes one leaves the others as they were. All of it is on the disk
 * when this returns, so that no round pays for writing what was prepared.
 */
export function copies(dir: string, { root }: Project, count: number): Project[] {
  const made = Array.from({ length: count }, (_, at) => {
    const copy = join(dir, `copy-${at}`);
    mkdirSync(join(copy, 'home', 'tmp'), { recursive: true });
    cpSync(root, join(copy, 'project'), { recursive: true });
    // One cache for all, as a user has one: Node's compiled code lies there.
    return {
      root: join(copy, 'project'),
      env: { ...cleanEnv(join(copy, 'home')), XDG_CACHE_HOME: join(dir, 'home', 'cache') },
    };
  });
  settle();
  return made;
}

/** Waits until everything that was written is on the disk. */
export function settle(): void {
  const { error } = spawnSync('sync');
  if (error) throw error;
}

const WORDS =
  'the council weighs what each of its members said about cost risk time people data and the way back'.split(
    ' ',
  );

/** Plain English lines, `bytes` long, always the same for the same `seed`. */
export function prose(bytes: number, seed = 1): string {
  const lines = [];
  let random = seed;
  for (let size = 0; size <= bytes;) {
    const words = Array.from(
      { length: 14 },
      () => WORDS[(random = (random * 48271) % 2147483647) % WORDS.length]!,
    );
    lines.push(`${words.join(' ')}.`);
    size += lines.at(-1)!.length + 1;
  }
  return lines.join('\n').slice(0, bytes);
}
