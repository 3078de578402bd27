// A scripted participant: reads its prompt, notes the launch, and does what its script says for this phase.
// argv: the folder of the scripts (outside the project), the participant's id.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch, Step } from './speakers.ts';

type Encoded = Omit<Step, 'say' | 'respond'> & { say?: string; respond?: string; cli: string };

const [folder = '', id = ''] = process.argv.slice(2);
const input = readFileSync(0, 'utf8');
const phase = input.startsWith('{')
  ? (JSON.parse(input) as { phase: string }).phase
  : (/^- Phase\s*: (\w+)/mu.exec(input)?.[1] ?? '');

const log = join(folder, 'launches.jsonl');
const before = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
const attempt = before
  .map((line) => JSON.parse(line) as Launch)
  .filter((l) => l.id === id && l.phase === phase).length;

const script = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')) as Record<string, Encoded[]>;
const steps = script[phase] ?? script.any ?? [];
const step: Partial<Encoded> = steps[Math.min(attempt, steps.length - 1)] ?? {
  say: Buffer.from(`${id} in ${phase}`).toString('base64'),
};

if (step.stubborn) process.on('SIGTERM', () => undefined);
appendFileSync(log, `${JSON.stringify({ id, phase, pid: process.pid, input, env: process.env })}\n`);
if (step.stderr !== undefined) process.stderr.write(`${step.stderr}\n`);
while (step.whenThere !== undefined && !existsSync(step.whenThere))
  await new Promise((look) => setTimeout(look, 10));
if (step.respond !== undefined) {
  const words = Buffer.from(step.respond, 'base64');
  const { status, stderr } = spawnSync(process.execPath, [step.cli!, 'respond', id], { input: words });
  if (status !== 0) process.stderr.write(stderr);
}
if (step.say !== undefined) {
  const words = Buffer.from(step.say, 'base64');
  for (let at = 0; at < words.length;) at += writeSync(1, words, at);
}
if (step.hang) setInterval(() => undefined, 1000);
else process.exitCode = step.exit ?? 0;
