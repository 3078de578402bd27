import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { expectRecovery } from '../helpers/recovery.ts';
import { SCENARIOS } from '../helpers/scenarios.ts';
import type { Scenario } from '../helpers/scenarios.ts';
import { drop, inLanes, model } from '../helpers/tries.ts';

const CALLS = [
  'openat',
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'link',
  'linkat',
  'rename',
  'renameat',
  'renameat2',
];

/** One call of the main thread: the how manieth of its kind it is, and the how manieth on the project's folders. */
interface Traced {
  call: string;
  nth: number;
  ours: boolean;
  place: number;
}

interface Ended {
  code: number | null;
  killed: boolean;
  stderr: string;
  calls: Traced[];
}

const whyNot =
  spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
    ? ''
    : ' (skipped: strace is not here, or may not trace)';

/** Runs a command under strace (without --seccomp-bpf, which loses injections); `inject` ends it at the nth call of a kind. */
async function traced(
  project: Project,
  { args, input }: Scenario,
  inject?: { call: string; nth: number },
): Promise<Ended> {
  const log = join(project.outside, 'trace');
  const kill = inject ? ['-e', `inject=${inject.call}:signal=SIGKILL:when=${inject.nth}`] : [];
  const options = ['-f', '-y', '-e', `trace=${CALLS.join(',')}`, ...kill, '-o', log];
  const child = spawn('strace', [...options, process.execPath, CLI, ...args], {
    cwd: project.root,
    env: project.env,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdout.resume();
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  const main = lines[0]!.split(' ')[0]!;
  const killed = lines.some(
    (line) => line.startsWith(`${main} `) && line.endsWith('+++ killed by SIGKILL +++'),
  );
  return { code, killed, stderr, calls: callsIn(lines, main, dirname(project.root)) };
}

/** File system calls of Node's main thread, which makes all of council's own. */
function callsIn(lines: string[], main: string, scratch: string): Traced[] {
  const counts = new Map<string, { nth: number; place: number }>();
  return lines.flatMap((line) => {
    const [, pid, call, rest] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (pid !== main || call === undefined) return [];
    // With -y the working folder stands before a path, and the file behind a descriptor.
    const named = rest!.replace(/^AT_FDCWD(<[^>]*>)?, /, '');
    const ours = named.includes(`${scratch}/project/`) || named.includes(`${scratch}/state/`);
    const before = counts.get(call) ?? { nth: 0, place: 0 };
    const now = { nth: before.nth + 1, place: before.place + (ours ? 1 : 0) };
    counts.set(call, now);
    return [{ call, ours, ...now }];
  });
}

describe.skipIf(whyNot !== '')(`SIGKILL from outside${whyNot}`, () => {
  it.each([
    'respond, blind',
    'respond, open',
    'tick that closes and reveals',
    'tick that launches',
    'tick that archives',
  ] as const)('at every openat, write, fsync, link and rename of `%s`', async (name) => {
    const scenario: Scenario = SCENARIOS[name];
    const fresh = await model(scenario.prepare);
    const whole = fresh();
    const { code, calls } = await traced(whole, scenario);
    expect(code).toBe(0);
    drop(whole);
    const targets = calls.filter((c) => c.ours);
    expect(new Set(targets.map((t) => t.call)).size).toBeGreaterThan(3);

    const hit = new Set<string>();
    const label = ({ call, place }: Traced): string => `${call} ${place}`;
    await inLanes(targets, 2, async (target) => {
      // Node's own calls before it are sometimes one or two more or fewer: then the next try aims better.
      for (let { nth } = target, attempt = 1; attempt <= 8 && !hit.has(label(target)); attempt++) {
        const at = `killed at ${target.call} ${nth}, attempt ${attempt}`;
        const project = fresh();
        const { killed, stderr, calls: made } = await traced(project, scenario, { call: target.call, nth });
        if (killed) {
          // What it says of its course and of its place is no error.
          expect(stderr, at).not.toMatch(/^council: |bug in council/m);
          await expectRecovery(project, scenario, at);
        }
        drop(project);
        const last = made.findLast(({ call }) => call === target.call);
        if (killed && last?.ours) hit.add(label(last));
        nth += (killed && target.place - (last?.place ?? 0)) || -1;
      }
    });
    const hits = targets.filter((target) => hit.has(label(target))).length;
    console.log(
      `${name}: killed at ${hits} of its ${targets.length} calls on the project and the private folder`,
    );
    expect(hits).toBeGreaterThan(targets.length * 0.9);
  });
});
