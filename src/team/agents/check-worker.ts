// Use case `protocol check-worker`: tests a worker program against the scenes of the specification.
import type { Agent } from '../../core/agents/agent.ts';
import { formatIso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { MOST_TURNS, playScene } from '../tasks/play-scene.ts';
import type { Fault, Play } from '../tasks/play-scene.ts';
import { renderWorkerPrompt } from '../tasks/prompt.ts';
import { buildTask } from '../tasks/task.ts';
import type { ExchangeLine } from '../tasks/task.ts';
import { SCENES } from '../tasks/worker-scenes.ts';
import type { Scene } from '../tasks/worker-scenes.ts';
import { createInterruptedError } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { readPromptTemplate } from '../tasks/use/build-prompt.ts';

type WorkerMode = 'prompt' | 'line';

/** The result of one conversation. */
export interface CheckedScene {
  mode: WorkerMode;
  name: string;
  ok: boolean;
  faults: Fault[];
  advice: string[];
}

export interface CheckedWorker {
  /** True if the worker is right in every conversation of at least one mode. */
  ok: boolean;
  /** The modes that were tried without any output from the worker. */
  silent: WorkerMode[];
  conversations: CheckedScene[];
}

interface WorkerCheckOptions {
  argv: string[];
  mode: WorkerMode | 'auto';
  /** Milliseconds allowed for one answer. */
  timeout: number;
}

/** Minimum patience in line mode: a program that reads whole prompts is silent when given single lines. */
const LEAST_PATIENCE_MS = 5000;

/** Plays all conversations, in both modes by default. Throws `usage` if the program cannot start; `interrupted`. */
export async function checkWorker(app: App, checking: WorkerCheckOptions): Promise<CheckedWorker> {
  const { mode, timeout } = checking;
  const modes: WorkerMode[] = mode === 'auto' ? ['prompt', 'line'] : [mode];
  const all: CheckedScene[] = [];
  const silent: WorkerMode[] = [];
  let slowest = 0;
  for (const one of modes) {
    const isSecond = one === 'line' && modes.length > 1 && !silent.includes('prompt');
    const patience = isSecond ? Math.min(timeout, Math.max(LEAST_PATIENCE_MS, slowest * 3)) : timeout;
    for (const scene of SCENES.filter(({ isBroken }) => one === 'line' || !isBroken)) {
      const began = performance.now();
      const { play, isSilent } = await playWorkerScene(
        app,
        { ...checking, timeout: scene.isBroken ? Math.min(patience, LEAST_PATIENCE_MS) : patience },
        scene,
        one,
      );
      slowest = Math.max(slowest, performance.now() - began);
      const { faults, advice } = play;
      all.push({ mode: one, name: scene.name, ok: faults.length === 0, faults, advice });
      // A worker that is silent in the first conversation does not support the mode.
      if (!isSilent || scene !== SCENES[0]) continue;
      silent.push(one);
      break;
    }
  }
  const spoken = modes.filter((one) => !silent.includes(one));
  // An agent file names one mode, so being right in that mode is enough.
  const isRight = (one: WorkerMode): boolean => all.every(({ mode: own, ok }) => own !== one || ok);
  const conversations = all.filter(({ mode: own }) => spoken.length === 0 || spoken.includes(own));
  return { ok: spoken.some(isRight), silent, conversations };
}

/** Plays one conversation: in line mode one process for all of it, in prompt mode one per turn. */
async function playWorkerScene(
  app: App,
  { argv, timeout }: WorkerCheckOptions,
  scene: Scene,
  mode: WorkerMode,
): Promise<{ play: Play; isSilent: boolean }> {
  const play = playScene(scene, { isForgetful: mode === 'prompt' });
  const { createCommandRunner } = await import('../../core/agents/runners/command.ts');
  const agent = await createWorkerAgent(argv, timeout);
  const signal = app.interruption();
  let isSilent = true;
  for (let turn = 0; turn < MOST_TURNS && !play.isOver(); turn++) {
    let heard = 0;
    let answer: string | null | undefined;
    const hear = (row: string): string | null | undefined => {
      heard++;
      if (row.trim() !== '') isSilent = false;
      return play.hear(row);
    };
    const result = await createCommandRunner().speak({
      agent,
      input: mode === 'prompt' ? buildScenePrompt(scene, play) : '',
      ...(mode === 'line' && { talk: { first: play.next(), answer: async (row: string) => hear(row) } }),
      system: '',
      turn: null,
      toolServers: [],
      cwd: app.cwd,
      env: app.env,
      extraEnv: buildWorkerEnv(scene, play),
      signal,
      onSpawn: async () => undefined,
    });
    if (signal.aborted) throw createInterruptedError(`council protocol check-worker -- ${argv.join(' ')}`);
    if (result.failure === 'config')
      throw new CouncilError('usage', `The worker cannot be started: ${result.reason}.`, {
        hint: 'Give a program after --: council protocol check-worker -- node worker.js',
      });
    const rows = result.output.toString('utf8').split('\n');
    // The last row may have no line break; it is read when the program has ended.
    const left = mode === 'prompt' ? rows : rows.slice(heard);
    for (const row of left) answer = hear(row) ?? answer;
    const isAsked = mode === 'prompt' && typeof answer === 'string' && result.ok;
    if (!isAsked) play.end({ failure: result.ok ? null : result.reason, isLate: result.timedOut });
  }
  play.end({ failure: 'it asks and asks', isLate: false });
  return { play, isSilent };
}

const buildWorkerEnv = ({ wire }: Scene, play: Play): Record<string, string> => {
  const { task = '', context = '' } = play.listSaid().at(-1) ?? {};
  return { COUNCIL_WIRE_ID: wire, COUNCIL_TASK: task, COUNCIL_SESSION: context };
};

async function createWorkerAgent(argv: readonly string[], timeout: number): Promise<Agent> {
  const { parseAgent } = await import('../../core/agents/agent.ts');
  const text = `---\nname: worker\ncouncil:\n  command: ${JSON.stringify(argv)}\n---\n`;
  return { ...parseAgent(text, 'worker.md', 'project', timeout), timeout };
}

/** Builds the prompt that council itself would send to a worker. */
function buildScenePrompt(scene: Scene, play: Play): string {
  const time = formatIso(0);
  const exchange = play
    .listSaid()
    .map((message) => ({ priority: 'normal', body: '-', ...message, time }) as ExchangeLine);
  const line = exchange.at(-1)!;
  const draft = { id: line.task ?? 'T1', session: line.context ?? 'S1', text: scene.text };
  return renderWorkerPrompt({
    task: { ...buildTask({ ...draft, depth: line.depth ?? 0, budget: line.budget ?? null }, time), exchange },
    wire: scene.wire,
    line,
    version: 'V5',
    persona: '',
    enclosures: [],
    capabilities: [],
    lang: 'en',
    template: readPromptTemplate('worker', 'en'),
    limits: { depth: 3, children: 3 },
  });
}
