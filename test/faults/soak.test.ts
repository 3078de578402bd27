import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { randomOf } from '../helpers/random.ts';
import type { Random } from '../helpers/random.ts';
import { readArchive } from '../../src/core/archive/parse.ts';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project, Running } from '../helpers/cli.ts';
import type { Responded, Status } from '../helpers/documents.ts';
import { must } from '../helpers/scenarios.ts';
import { addAgent } from '../helpers/speakers.ts';
import { AWKWARD, hash } from '../helpers/texts.ts';
import { leftovers } from '../helpers/tries.ts';

// Ten minutes, unless SOAK_SECONDS says otherwise; SOAK_SEED repeats the same choices (not the same timing).
const SECONDS = Number(process.env.SOAK_SECONDS ?? 600);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
/** Commands that run at the same time. */
const LANES = 6;
const COUNCILS = ['north', 'south', 'east'];
const PEOPLE = ['ann', 'bob', 'cleo'];
/** How a command is ended on its way, `stop` also with a pause in which others go on. */
const ENDS = ['SIGKILL', 'SIGTERM', 'SIGHUP', 'stop'] as const;

interface Acknowledged {
  by: string;
  tour: number;
  name: string;
  text: string;
}

interface Figures {
  seconds: number;
  commands: number;
  ended: Record<(typeof ENDS)[number], number>;
  councils: number;
  acknowledged: number;
  lost: number;
}

it(
  `loses nothing in ${SECONDS} seconds of random commands, ${LANES} at a time, ended at random (SOAK_SEED=${SEED})`,
  { timeout: (SECONDS + 300) * 1000 },
  async () => {
    const project = await newProject();
    for (const id of PEOPLE) addAgent(project, id);
    addProgram(project);
    const random = randomOf(SEED);
    const told: Acknowledged[] = [];
    const ended = { SIGKILL: 0, SIGTERM: 0, SIGHUP: 0, stop: 0 };
    const strange: string[] = [];
    let commands = 0;

    const lane = async (): Promise<void> => {
      for (const until = performance.now() + SECONDS * 1000; performance.now() < until;) {
        const { args, input } = anyCommand(random, ++commands);
        const running = project.launch(args, { input });
        if (random() < 0.4) await endIt(running, random, ended);
        const { code, stdout, stderr } = await running.ended;
        if (/bug in council/.test(stderr)) strange.push(`council ${args.join(' ')}: ${stderr}`);
        if (code !== 0 || args[0] !== 'respond') continue;
        const { accepted, name, participant, tour } = JSON.parse(stdout) as Responded;
        if (accepted) told.push({ by: participant, name, tour, text: input! });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    for (const { name } of (await project.council<Status>(['status', '--json'])).json.councils)
      await must(project, ['cancel', '--name', name, '--why', 'the time is over']);
    const kept = everythingKept(project);
    const lost = told.filter((one) => !kept.has(hash(one.text)));
    const figures: Figures = {
      seconds: SECONDS,
      commands,
      ended,
      councils: archives(project).length,
      acknowledged: told.length,
      lost: lost.length,
    };
    console.log(JSON.stringify(figures));
    if (process.env.SOAK_RECORD) record(figures);
    expect(strange).toEqual([]);
    expect(lost).toEqual([]);
    expect(leftovers(project)).toEqual([]);
    expect(told.length).toBeGreaterThan(SECONDS / 10);
  },
);

/** A participant that is launched, and takes a moment to answer. */
function addProgram(project: Project): void {
  const script = '[ -n "$(cat)" ] || exit 9; sleep 0.2; echo "said by a program"';
  fs.writeFileSync(join(project.outside, 'speak.sh'), script);
  addAgent(project, 'dan', { runner: 'command', command: ['/bin/sh', '../outside/speak.sh'] });
}

function anyCommand(random: Random, n: number): { args: string[]; input?: string } {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const name = of(COUNCILS);
  const at = ['--name', name];
  const kind = random();
  if (kind < 0.45) {
    const input = `text ${n} ${of(AWKWARD)}`;
    return { args: ['respond', of(PEOPLE), ...at, '--json'], input };
  }
  if (kind < 0.6) {
    const open = random() < 0.3 ? ['--open'] : [];
    const seats = ['--agents', [...PEOPLE, 'dan'].join(','), '--mode', of(['synthesis', 'debate'])];
    return { args: ['start', `Council ${n}`, ...at, ...seats, '--timeout', '20s', ...open] };
  }
  if (kind < 0.8) return { args: ['tick'] };
  if (kind < 0.84) return { args: ['tick', '--until-idle'] };
  if (kind < 0.87) return { args: ['cancel', ...at, '--why', `reason ${n}`] };
  if (kind < 0.9) return { args: ['restore', String(1 + Math.floor(random() * 9)), ...at] };
  if (kind < 0.93) return { args: ['restore', ...at] };
  return { args: of([['status'], ['list'], ['history', ...at], ['view', of(PEOPLE), ...at], ['doctor']]) };
}

/** Ends a command at a random moment of its first half second. */
async function endIt(
  running: Running,
  random: Random,
  ended: Record<(typeof ENDS)[number], number>,
): Promise<void> {
  const how = ENDS[Math.floor(random() * ENDS.length)]!;
  const over = await Promise.race([running.ended.then(() => true), pause(random() * 500)]);
  if (over) return;
  ended[how]++;
  if (how !== 'stop') return void running.child.kill(how);
  running.child.kill('SIGSTOP');
  await pause(random() * 3000);
  running.child.kill('SIGCONT');
}

const pause = (ms: number): Promise<false> => new Promise((done) => setTimeout(() => done(false), ms));

const archives = (project: Project): string[] =>
  filesIn(join(project.root, 'conseils')).filter((path) => path.endsWith('.md'));

/** The hashes of all texts in the archives, and of what was kept beside them. */
function everythingKept(project: Project): Set<string> {
  const archived = archives(project).flatMap((path) => {
    const { altered, contributions } = readArchive(fs.readFileSync(path, 'utf8'), path);
    expect(altered, path).toEqual([]);
    return contributions.map(({ sha256 }) => sha256);
  });
  // What a restore drops is a late text, and private as long as its phase is blind.
  const dropped = [join(project.root, 'memory/shared/.late'), project.privateDir].flatMap(filesIn);
  return new Set([...archived, ...dropped.map((path) => hash(fs.readFileSync(path)))]);
}

/** Puts the figures into the page on guarantees, between its two marks. */
function record({ seconds, commands, ended, councils, acknowledged, lost }: Figures): void {
  const page = join(import.meta.dirname, '../../docs/guarantees.md');
  const kills = Object.entries(ended).map(([how, count]) => `${count} ${how}`);
  const line =
    `In ${seconds / 60} minutes, ${LANES} at a time: ${commands} commands on ${councils} councils, ` +
    `ended on their way by ${kills.join(', ')} (and continued); ${acknowledged} texts acknowledged, ${lost} lost.`;
  const text = fs.readFileSync(page, 'utf8');
  const marked = /(<!-- soak -->\n)[^]*?(\n<!-- \/soak -->)/;
  if (!marked.test(text)) throw new Error(`${page} has no place for the figures of the soak.`);
  fs.writeFileSync(page, text.replace(marked, `$1${line}$2`));
}
