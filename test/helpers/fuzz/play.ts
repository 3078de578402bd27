import { fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { CLI } from '../cli.ts';
import { damage, diceOf, fingerprint, restored, wordsIn } from './damage.ts';
import { sample } from './sample.ts';
import type { Sample } from './sample.ts';
import type { News, Orders } from './worker.ts';

/**
 * The seed of a run, and the one case to repeat: FUZZ_SEED and FUZZ_CASE of the environment. `npm test` plays the same cases
 * every time, so that it fails for what was changed; `npm run test:faults` draws new ones.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const ONLY = process.env.FUZZ_CASE === undefined ? undefined : Number(process.env.FUZZ_CASE);

/** Nothing may take longer. A machine that is busy gets a second try before that counts. */
const LIMIT_MS = 5000;
/** Faults that are told: of one kind there may be thousands. */
const MOST_FAULTS = 10;

/** How much is played: so many cases at most, and no new one after this time. */
export interface Extent {
  runs: number;
  forMs?: number;
}

/** What came of it: how many cases were played, and what went wrong, each with how to repeat it. */
export interface Played {
  cases: number;
  faults: string[];
}

/** Plays cases in one process. */
export async function playInProcess({ runs, forMs = Infinity }: Extent): Promise<Played> {
  const { project, ...rest } = await sample();
  const faults: string[] = [];
  const until = Date.now() + forMs;
  const last = ONLY === undefined ? runs : ONLY + 1;
  const program = dirname(CLI);
  let from = ONLY ?? 0;
  while (from < last && faults.length < MOST_FAULTS && Date.now() < until) {
    const orders: Orders = { ...rest, program, seed: SEED, from, to: last, until };
    const ended = await playUntilHang(orders, project.env, faults);
    from = ended.at + 1;
    if (ended.hung === undefined) continue;
    // Alone, and with more time: a busy machine is no hang.
    const again = await playUntilHang(
      { ...orders, from: ended.at, to: ended.at + 1, until: Infinity },
      project.env,
      [],
      4 * LIMIT_MS,
    );
    if (again.hung !== undefined) faults.push(repeatable(ended.at, `hang or crash: ${again.hung}`));
  }
  return { cases: from - (ONLY ?? 0), faults };
}

/** Plays cases until all are played or one hangs; the last one played, and what hung. */
async function playUntilHang(
  orders: Orders,
  env: NodeJS.ProcessEnv,
  faults: string[],
  limitMs = LIMIT_MS,
): Promise<{ at: number; hung?: string }> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [], {
    env: { ...env, FUZZ_ORDERS: JSON.stringify(orders), NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => void (said.push(chunk.toString()) > 50 && said.shift()));
  let at = orders.from;
  let doing = 'the beginning';
  let isHung = false;
  child.on('message', (news: News) => {
    watch.refresh();
    if (news.type === 'case') [at, doing] = [news.at, news.done];
    if (news.type === 'command') doing = `${doing.split('\n')[0]}\n  council ${news.args.join(' ')}`;
    if (news.type === 'fault') faults.push(repeatable(news.at, news.fault));
    if (faults.length >= MOST_FAULTS) child.kill('SIGKILL');
  });
  const watch = setTimeout(() => {
    isHung = true;
    child.kill('SIGKILL');
  }, 4 * limitMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(watch);
  if (code === 0 || faults.length >= MOST_FAULTS) return { at };
  return {
    at,
    hung: `${isHung ? 'no sign of life' : `exit code ${code}`} in ${doing}\n${said.join('').slice(-2000)}`,
  };
}

const BUILT = ['status', 'tick', 'list', 'show gamma', 'doctor'];

/** The same with the built program, a process for each command. */
export async function playBuilt({ runs, forMs = Infinity }: Extent): Promise<Played> {
  const prepared = await sample();
  const faults: string[] = [];
  const until = Date.now() + forMs;
  const first = ONLY ?? 0;
  const last = ONLY === undefined ? runs : ONLY + 1;
  let at = first;
  for (; at < last && faults.length < MOST_FAULTS && Date.now() < until; at++) {
    const found = await playOne(prepared, at);
    faults.push(...found.map((fault) => repeatable(at, fault)));
  }
  return { cases: at - first, faults };
}

async function playOne(
  { project, roots, originals, canaries, words, ids }: Sample,
  at: number,
): Promise<string[]> {
  const dice = diceOf(SEED, at);
  const untouched = canaries.map(fingerprint);
  restored(roots, originals);
  const done = Array.from({ length: 1 + dice.to(4) }, () =>
    damage({ roots, ids, canary: canaries[dice.to(2)]! }, dice),
  );
  const before = wordsIn(roots, words);
  const faults: string[] = [];
  for (const line of BUILT) {
    const run = async (limitMs: number) => {
      // Its folder may be gone: the program is told where it was.
      const running = project.launch([...line.split(' '), '--root', project.root], { cwd: '/' });
      const timer = setTimeout(() => running.child.kill('SIGKILL'), limitMs);
      const ended = await running.ended;
      clearTimeout(timer);
      return ended;
    };
    let ended = await run(LIMIT_MS);
    if (ended.signal === 'SIGKILL') ended = await run(4 * LIMIT_MS);
    if (ended.signal !== null) faults.push(`council ${line}: ended by ${ended.signal} ${ended.stderr}`);
    else if (/This is a bug in council/.test(ended.stderr + ended.stdout))
      faults.push(`council ${line}: ${(ended.stderr + ended.stdout).slice(0, 1500)}`);
    else if (![0, 1, 2, 75, 124, 130].includes(ended.code!))
      faults.push(`council ${line}: exit code ${ended.code}`);
  }
  const after = wordsIn(roots, [...before]);
  const lost = [...before].filter((word) => !after.has(word));
  if (lost.length > 0) faults.push(`gone from every file: ${lost.join(', ')}`);
  canaries.forEach((dir, index) => {
    if (fingerprint(dir) !== untouched[index]) faults.push(`${dir} was touched`);
  });
  return faults.map((fault) => `${fault}\n  after ${done.join('; ')}`);
}

const repeatable = (at: number, fault: string): string =>
  `case ${at} (again: FUZZ_SEED=${SEED} FUZZ_CASE=${at}): ${fault}`;
