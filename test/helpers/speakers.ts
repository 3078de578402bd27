import fs from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { CLI, ON_POSTGRES } from './cli.ts';
import type { Project } from './cli.ts';

/** What a scripted participant does when it is launched. */
export interface Step {
  /** Printed, byte for byte. */
  say?: string | Buffer;
  /** Sent with `council respond` by the participant itself. */
  respond?: string | Buffer;
  stderr?: string;
  exit?: number;
  /** It waits until this file exists. */
  whenThere?: string;
  /** It never ends by itself. */
  hang?: boolean;
  /** SIGTERM does not end it. */
  stubborn?: boolean;
}

/** By phase; `any` for the phases not named. A list gives one step for each attempt, the last one again after that. */
export type Script = Partial<
  Record<'COLLECT' | 'CHALLENGE' | 'RESOLVE' | 'SYNTHESIZE' | 'any', Step | Step[]>
>;

export interface Launch {
  id: string;
  phase: string;
  pid: number;
  /** What it got on stdin. */
  input: string;
  env: Record<string, string>;
}

/** Writes `agents/<id>.md` for a program that follows `script`. Script and launches are kept outside the project. */
export function addSpeaker(
  project: Project,
  id: string,
  script: Script = {},
  council: Record<string, unknown> = {},
): void {
  const program = inject('ready')?.speaker ?? join(import.meta.dirname, 'speak.ts');
  const command = [process.execPath, program, project.outside, id];
  // Whoever calls council in its turn needs the address, which agents get only where their file says so.
  const env = ON_POSTGRES ? { env: ['COUNCIL_DATABASE_URL'] } : {};
  // A script says all that its author has to say: nobody asks it once more, unless the test is about that.
  addAgent(project, id, { runner: 'command', command, repair: 0, ...env, ...council });
  setScript(project, id, script);
}

export function setScript(project: Project, id: string, script: Script): void {
  const steps = Object.entries(script).map(([phase, given]) => [phase, [given].flat().map(encoded)]);
  fs.writeFileSync(join(project.outside, `${id}.json`), JSON.stringify(Object.fromEntries(steps)));
}

/** Writes `agents/<id>.md`; without a runner it is a person. */
export function addAgent(
  project: Project,
  id: string,
  council: Record<string, unknown> = {},
  persona = `You are ${id}.`,
): void {
  project.write(
    `agents/${id}.md`,
    `---\nname: ${id}\ncouncil: ${JSON.stringify(council)}\n---\n\n${persona}\n`,
  );
}

/** Every launch so far, in order. */
export function launches(project: Project): Launch[] {
  const log = join(project.outside, 'launches.jsonl');
  if (!fs.existsSync(log)) return [];
  const lines = fs.readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Launch);
}

function encoded(step: Step): Record<string, unknown> {
  const base64 = (text?: string | Buffer) =>
    text === undefined ? undefined : Buffer.from(text as string).toString('base64');
  return { ...step, say: base64(step.say), respond: base64(step.respond), cli: CLI };
}

/** Ends all pauses after failed launches. */
export function forgetFailures(project: Project): void {
  fs.rmSync(join(project.root, 'memory/shared/.versions/.health'), { recursive: true, force: true });
}
