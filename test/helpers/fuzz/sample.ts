import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { newProject } from '../cli.ts';
import type { Project } from '../cli.ts';
import type { Started } from '../documents.ts';
import { addAgent } from '../speakers.ts';
import { restored } from './damage.ts';

/** A project with a bit of everything, and a copy of it to begin each case with. */
export interface Sample {
  project: Project;
  /** The project's folder and the private one, as they are damaged. */
  roots: [string, string];
  /** The same as they were. */
  originals: [string, string];
  /** Beside the project: nothing may touch it. */
  canaries: string[];
  /** A word of every text that was acknowledged. */
  words: string[];
  /** The ids of its councils, in the order of their making. */
  ids: string[];
}

export async function sample(): Promise<Sample> {
  const project = await newProject();
  for (const id of ['ana', 'bob', 'cleo']) addAgent(project, id);
  let count = 0;
  const words: string[] = [];
  const word = (): string => {
    const made = `word${String(++count).padStart(3, '0')}${'qxzjkvw'[count % 7]}`;
    words.push(made);
    return made;
  };
  const run = async (args: string[], input = '', code = 0): Promise<string> => {
    const ended = await project.council(args, { input });
    if (ended.code !== code) throw new Error(`${args.join(' ')}: ${ended.code} ${ended.stderr}`);
    return ended.stdout;
  };
  const ids: string[] = [];
  const start = async (name: string, mode: string): Promise<void> => {
    const common = ['--agents', 'ana,bob', '--timeout', '30d', '--json'];
    const started = await run(['start', `About ${name}`, '--name', name, '--mode', mode, ...common]);
    ids.push((JSON.parse(started) as Started).conversationId);
  };
  const say = (id: string, name: string, ...more: string[]): Promise<string> =>
    run(['respond', id, '--name', name, ...more], `---\nposition: ${id}'s own\n---\n\n1. It is ${word()}.\n`);
  const tick = (name: string): Promise<string> => run(['tick', '--name', name, '--no-launch']);

  await start('gamma', 'synthesis');
  for (const id of ['ana', 'bob']) await say(id, 'gamma');
  await tick('gamma');
  await tick('gamma');
  await start('delta', 'debate');
  await say('ana', 'delta');
  await run(['cancel', '--name', 'delta', '--why', 'enough']);
  await start('alpha', 'debate');
  for (const id of ['ana', 'bob']) await say(id, 'alpha');
  await tick('alpha');
  await say('ana', 'alpha');
  await run(['respond', 'ana', '--name', 'alpha'], 'Another text.', 1);
  await start('beta', 'debate');
  await say('ana', 'beta');
  await run(['respond', 'ana', '--name', 'beta'], 'Another text.', 1);
  const shown = join(project.root, 'memory/shared/council-alpha.md');
  fs.appendFileSync(shown, 'By hand.\n');
  await run(['restore', '--name', 'alpha']);

  const home = project.env.HOME!;
  for (const dir of [project.outside, home]) {
    fs.mkdirSync(join(dir, 'folder', '.tmp'), { recursive: true });
    for (const name of ['secret.md', 'folder/1.md', 'folder/.tmp/0-0-0.tmp', 'council-x.md', 'conseils.md'])
      fs.writeFileSync(join(dir, name), `nobody's business: ${name}\n`);
  }
  const roots: Sample['roots'] = [project.root, project.privateDir];
  const kept = join(dirname(project.root), 'original');
  const originals: Sample['originals'] = [join(kept, 'project'), join(kept, 'private')];
  restored(originals, roots);
  return { project, roots, originals, canaries: [project.outside, home, kept], words, ids };
}
