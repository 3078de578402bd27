// Plays councils with three heartbeats and two servers on one database, each killed at random.
import { expect } from 'vitest';
import { until } from '../cli.ts';
import { apiOf } from '../serve.ts';
import { kept, machineOn } from './fleet.ts';
import { databaseForProject } from './project-database.ts';

const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const;
const AGENTS = { ada: [], ben: ['gpu'], zoe: ['build'] };
const NEVER = ['--every', '0 0 1 1 *', '--active', '* * * * *'];

/** Pseudo-random numbers, the same for a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Archived {
  contributions: { participant: string; phase: string; tour: number }[];
}

/** Plays so many councils to their archives, and looks whether each answer is there once. */
export async function playWithKills(councils: number, { seed = 7, pauseMs = 1500, ms = 600_000 } = {}) {
  const url = (await databaseForProject())!;
  const machines = await Promise.all([1, 2, 3, 4, 5].map(() => machineOn(url, AGENTS)));
  const [first, second, third, here, there] = machines as [
    (typeof machines)[0],
    (typeof machines)[0],
    (typeof machines)[0],
    (typeof machines)[0],
    (typeof machines)[0],
  ];
  const { json } = await here.council<{ token: string }>(['token', 'create', '--role', 'admin', '--json']);
  const ports = [27_000 + (process.pid % 10_000), 37_001 + (process.pid % 10_000)] as const;
  const servers = [here, there].map((one, at) =>
    kept(() => one.launch(['serve', '--port', String(ports[at])])),
  );
  const beats = (
    [
      [first, 'gpu'],
      [second, 'build'],
      [third, 'gpu,build'],
    ] as const
  ).map(([one, labels]) => kept(() => one.launch(['heartbeat', ...NEVER, '--labels', labels])));
  const apis = ports.map((port) => apiOf(`http://127.0.0.1:${port}`, json.token));
  const random = randomOf(seed);
  let isOver = false;
  const kills: string[] = [];
  const killing = (async () => {
    const all = [...beats, ...servers];
    while (!isOver) {
      await new Promise((later) => setTimeout(later, pauseMs / 2 + random(pauseMs)));
      if (isOver) return;
      const signal = SIGNALS[random(SIGNALS.length)]!;
      kills.push(signal);
      await all[random(all.length)]!.hit(signal, 500 + random(2000));
    }
  })();
  try {
    for (let n = 0; n < councils; n++) await started(apis, n);
    const archived = async (): Promise<number> => {
      const { archives } = (await here.council<{ archives: unknown[] }>(['list', '--json'])).json;
      return archives.length;
    };
    await until('all councils are archived', async () => (await archived()) === councils, ms);
  } finally {
    isOver = true;
    await killing;
    await Promise.all([...beats, ...servers].map((one) => one.end()));
  }
  const { archives } = (await here.council<{ archives: { id: string }[] }>(['list', '--json'])).json;
  for (const { id } of archives) {
    const { contributions } = (await here.council<Archived>(['show', id, '--json'])).json;
    const said = contributions.map(({ participant, tour }) => `${participant} ${tour}`);
    expect({ id, said: said.toSorted() }).toEqual({ id, said: ['ada 1', 'ben 1', 'zoe 1'] });
  }
  return { archives: archives.length, kills };
}

/** The same request with the same key is safe, however often a server dies under it. */
async function started(apis: ReturnType<typeof apiOf>[], n: number): Promise<void> {
  const input = {
    name: `c${n}`,
    topic: `Question ${n}?`,
    mode: 'synthesis',
    agents: Object.keys(AGENTS),
    coordinator: '',
    timeout: '30m',
  };
  for (let attempt = 0; ; attempt++) {
    const answer = await apis[(n + attempt) % apis.length]!.post('start', input, {
      'idempotency-key': `start-${n}`,
    }).catch(() => undefined);
    if (answer?.status === 200) return;
    if (attempt > 200) throw new Error(`c${n}: ${answer ? await answer.text() : 'no answer'}`);
    await new Promise((later) => setTimeout(later, 200));
  }
}
