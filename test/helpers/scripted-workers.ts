import fs from 'node:fs';
import { join } from 'node:path';
import { newProject } from './cli.ts';
import type { Project } from './cli.ts';

/** What a worker does in one launch. */
export interface Step {
  /** Printed as it stands. */
  say?: string;
  /** Ends with this code. */
  exit?: number;
  /** Stays until it is ended, with a child of its own; so many milliseconds; or until `scripts/<worker>-released` is there. */
  stay?: true | number | 'until released';
}

/** Real processes: each launch of a worker takes the next step of its script, the last one for ever; its prompt is kept. */
const WORKER = `
import fs from 'node:fs';
import { spawn } from 'node:child_process';
const [name] = process.argv.slice(2);
const dir = process.env.COUNCIL_ROOT + '/scripts/';
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const steps = JSON.parse(fs.readFileSync(dir + name + '.json', 'utf8'));
const launches = fs.readdirSync(dir).filter((file) => file.startsWith(name + '-prompt-')).length;
fs.writeFileSync(dir + name + '-prompt-' + String(launches + 1).padStart(3, '0'), prompt);
const step = steps[Math.min(launches, steps.length - 1)];
if (step.say) process.stdout.write(step.say + '\\n');
if (step.stay === true) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  fs.writeFileSync(dir + name + '-pids', process.pid + ' ' + child.pid);
  setInterval(() => undefined, 1000);
} else if (step.stay === 'until released') {
  setInterval(() => fs.existsSync(dir + name + '-released') && process.exit(step.exit ?? 0), 20);
} else setTimeout(() => process.exit(step.exit ?? 0), step.stay ?? 0);
`;

export interface Scripted extends Project {
  /** What a worker was told, launch by launch. */
  prompts(worker: string): string[];
  /** The exchange about a task, as version 5 writes it. */
  exchange(task: string): Promise<string[]>;
}

/** A worker: its script, and what its file says under `council:` beside the command. */
export interface ScriptedWorker {
  steps: Step[];
  council?: string;
}

/** A project with these workers, who are trusted by whoever runs a task by hand there. */
export async function withWorkers(workers: Record<string, ScriptedWorker>): Promise<Scripted> {
  const project = await newProject();
  project.write('scripts/worker.mjs', WORKER);
  for (const [name, { steps, council = '' }] of Object.entries(workers)) {
    project.write(`scripts/${name}.json`, JSON.stringify(steps));
    const own = council === '' ? '' : `${council.trim().replace(/^/gm, '  ')}\n`;
    project.write(
      `agents/${name}.md`,
      `---\nname: ${name}\ncouncil:\n  command: ['\${NODE}', scripts/worker.mjs, ${name}]\n${own}---\nYou are ${name}.\n`,
    );
  }
  const dir = join(project.root, 'scripts');
  return {
    ...project,
    prompts: (worker) =>
      fs
        .readdirSync(dir)
        .filter((file) => file.startsWith(`${worker}-prompt-`))
        .sort()
        .map((file) => fs.readFileSync(join(dir, file), 'utf8')),
    exchange: async (task) =>
      (await project.council(['task', 'log', task, '--format', 'line'])).stdout.trimEnd().split('\n'),
  };
}
