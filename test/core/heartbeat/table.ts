import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { openAgentHealth } from '../../../src/core/store/agent-health.ts';
import type { Documents } from '../../../src/core/store/documents.ts';
import { agentRegistry } from '../../../src/core/agents/registry.ts';
import type { SpeakRequest, SpeakResult, Usage } from '../../../src/core/agents/runners/turn-types.ts';
import { reserveArchivePath } from '../../../src/core/archive/limit-archives.ts';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import { parseMode } from '../../../src/core/council/state/mode.ts';
import { start } from '../../../src/core/council/use/start.ts';
import type { CouncilState, Limit, Rules } from '../../../src/core/council/state/state.ts';
import type {
  HeartbeatPorts,
  Progress,
  CouncilTick,
  TickOptions,
} from '../../../src/core/heartbeat/ports.ts';
import { createHeartbeatRenewal } from '../../../src/core/heartbeat/launch/heartbeat-row.ts';
import { runTick, tickUntilIdle } from '../../../src/core/heartbeat/tick.ts';
import { isAlive, identifyThisProcess } from '../../../src/core/store/local/liveness.ts';
import {
  createMemoryArchives,
  createMemoryLateFiles,
  createMemoryTexts,
  memoryStore,
} from '../../../src/core/store/memory/memory-store.ts';
import { memoryHeartbeats } from '../../helpers/memory-drivers.ts';
import { createMemoryDueIndex } from '../../../src/core/store/due-index.ts';

import { heartbeat } from '../../contracts/heartbeats.ts';
import { START } from '../council/fixtures.ts';
import { macrotask, yielding, yieldingDocuments } from '../../helpers/yielding.ts';
import '../../../src/core/archive/write.ts';
import '../../../src/core/council/ledger/ledger.ts';
import '../../../src/core/council/view/debate-summary.ts';
import '../../../src/core/council/view/repair-prompt.ts';
import '../../../src/core/council/view/view.ts';
import '../../../src/core/agents/runners/process-group.ts';
import '../../../src/core/agents/runners/runner.ts';
import '../../../src/core/heartbeat/launch/launch.ts';
import '../../../src/core/heartbeat/council-pass.ts';

/** What a fake program does at one launch: an answer, or a failure. */
export interface Play extends Partial<Omit<SpeakResult, 'usage' | 'output'>> {
  say?: string;
  usage?: Partial<Usage>;
  /** The id of its session. */
  session?: string;
  /** It goes on until it is ended. */
  hangs?: true;
}
/** What somebody does at the nth launch (from 0) in a phase. */
export type Part = (phase: string, launch: number) => Play;

const TEMPLATES = join(import.meta.dirname, '../../../templates/modes');
const FAILED: Play = { ok: false, failure: 'failed', exitCode: 1, reason: 'exit code 1' };

let pauses = 0;

/** Drivers let others go first at every call; the time stands still meanwhile. */
async function pause(): Promise<void> {
  pauses++;
  await macrotask();
  pauses--;
}

/** Time stands still during a commit, which waits for a turn of the loop. */
const still = (store: Documents): Documents => ({
  ...store,
  async update(key, change) {
    pauses++;
    try {
      return await store.update(key, change);
    } finally {
      pauses--;
    }
  },
});

/** A project in memory whose programs are functions. Time is the fake timers': `through` lets it pass. */
export function newTable(parts: Record<string, Part>, limits: Record<string, string> = {}) {
  const store = still(yieldingDocuments(memoryStore(), pause));
  const health = openAgentHealth(still(yieldingDocuments(memoryStore(), pause)));
  const heartbeats = yielding(memoryHeartbeats(), pause);
  const files = new Map<string, Uint8Array>();
  const archives = new Map<string, string>();
  const launches: {
    id: string;
    phase: string;
    at: number;
    input: string;
    timeout: number;
    resume: string | null | undefined;
  }[] = [];
  const progress: Progress[] = [];
  const agentFile = (id: string): string =>
    `---\nname: ${id}\nmodel: m-${id}\ncouncil:\n  command: [x]\n${limits[id] ?? ''}\n---\n`;
  let uuids = 0;
  const ids = Object.keys(parts);

  async function speak(request: SpeakRequest): Promise<SpeakResult> {
    const { agent, input, extraEnv, onSpawn, signal } = request;
    await onSpawn(process.pid);
    const { currentPhase: phase, tour } =
      extraEnv.COUNCIL_NAME === undefined
        ? { currentPhase: 'CONTROL', tour: 0 }
        : (await readCouncil({ store }, extraEnv.COUNCIL_NAME)).council.state;
    const before = launches.filter((l) => l.id === agent.id && l.phase === `${phase} ${tour}`).length;
    const { id, timeout } = agent;
    const resume = request.session?.resume;
    launches.push({ id, phase: `${phase} ${tour}`, at: Date.now(), input, timeout, resume });
    const { say = '', usage, hangs, ...rest } = parts[agent.id]!(phase, before);
    if (hangs && !signal.aborted)
      await new Promise((ended) => signal.addEventListener('abort', ended, { once: true }));
    return {
      ok: true,
      output: Buffer.from(say),
      exitCode: 0,
      signal: null,
      timedOut: false,
      cancelled: false,
      truncated: false,
      durationMs: 5,
      reason: null,
      failure: null,
      retryAfterMs: null,
      stderrTail: '',
      ...rest,
      ...(hangs && { ok: false, cancelled: true, failure: 'cancelled' as const }),
      usage: usage ? { model: null, inputTokens: null, outputTokens: null, costUsd: null, ...usage } : null,
    };
  }

  const ports: HeartbeatPorts = {
    store,
    health,
    turns: {
      begin: () => ({ id: '', secret: '', setGroup: () => undefined, end: () => undefined }),
      listOpen: () => [],
    },
    toolServers: [],
    due: createMemoryDueIndex((name) => store.revision(name)),
    mayRun: () => true,
    createRunner: () => ({ speak }),
    clock: { now: () => Date.now(), clocks: () => undefined },
    random: {
      uuid: () => `11111111-2222-4333-8444-${String(uuids++).padStart(12, '0')}`,
      hex: (count) => 'ab'.repeat(count),
    },
    privateFiles: yielding(createMemoryTexts(files), pause, ['path']),
    processes: { self: identifyThisProcess, isAlive },
    lateFiles: yielding(createMemoryLateFiles(), pause),
    archives: yielding(createMemoryArchives(archives), pause, ['absolute']),
    reserveArchive: (topic, endMs) => reserveArchivePath(ports.archives, topic, endMs),
    actor: 'me@here via test',
    place: 'me@here',
    agents: agentRegistry([
      { source: 'project', files: () => ids.map((id) => ({ path: `${id}.md`, text: agentFile(id) })) },
    ]),
    mode: (name) => parseMode(readFileSync(join(TEMPLATES, `${name}.md`), 'utf8'), `${name}.md`),
    guidance: ({ mode }, participant) =>
      Promise.resolve({
        mode: ports.mode(mode),
        houseRules: '',
        persona: ports.agents.find(participant)?.persona,
      }),
    repair: null,
    prices: {},
    notifiers: [],
    root: '/',
    env: {},
    labels: [],
    heartbeats,
    heart: createHeartbeatRenewal(heartbeats, 'here', {
      row: () => heartbeat('here'),
      note: () => undefined,
    }),
    self: { pid: process.pid, host: 'here', bootId: 'boot', startTime: '1' },
  };
  const controller = new AbortController();
  const options = {
    launch: true,
    concurrency: 4,
    signal: controller.signal,
    onProgress: (one: Progress) => void progress.push(one),
  };
  return {
    ports,
    health,
    files,
    archives,
    launches,
    progress,
    controller,
    count: (id: string, phase = '') =>
      launches.filter((l) => l.id === id && l.phase.startsWith(phase)).length,
    convene: (
      over: {
        brief?: string;
        mode?: string;
        coordinator?: string;
        blind?: boolean;
        budget?: Limit;
        name?: string;
        rules?: Partial<Rules>;
        phaseTimeout?: number;
        lang?: 'en' | 'fr';
        control?: 'self';
        read?: 'project';
      } = {},
    ) =>
      start(ports, {
        name: over.name ?? 'debate',
        topic: 'Go?',
        brief: over.brief ?? 'Go?',
        mode: ports.mode(over.mode ?? 'synthesis'),
        agents: ids.map(ports.agents.require),
        coordinator: over.coordinator === undefined ? null : ports.agents.require(over.coordinator),
        phaseTimeout: over.phaseTimeout ?? 3_600_000,
        blind: over.blind ?? true,
        lang: over.lang ?? 'en',
        rules: over.rules ?? {},
        ...(over.control && { control: over.control }),
        ...(over.read && { read: over.read }),
        ...(over.budget && { budget: over.budget }),
      }),
    tick: async (
      name?: string,
      signal = controller.signal,
      over: Partial<TickOptions> = {},
    ): Promise<CouncilTick> =>
      (
        await through(
          runTick(ports, { ...options, ...over, signal, startedAt: Infinity, ...(name && { name }) }),
        )
      )[0]!,
    untilIdle: async (): Promise<CouncilTick> => (await through(tickUntilIdle(ports, options)))[0]!,
    state: async (name = 'debate'): Promise<CouncilState> => (await readCouncil(ports, name)).council.state,
    /** Everything that the project's folder shows of a council: its whole file. */
    text: async (name = 'debate'): Promise<string> => (await store.read(name))!.text,
    archive: () => [...archives][0]!,
  };
}

export const fails = (over: Play = {}): Play => ({ ...FAILED, ...over });
export const costs = (costUsd: number, outputTokens = 10, say = 'Yes.'): Play => ({
  say,
  usage: { inputTokens: 100, cachedTokens: 60, outputTokens, costUsd },
});

/** Time stands at the start of the samples, and passes only in `through`. */
export function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
}

/** Lets the time pass in which some work waits. */
export async function through<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => (isDone = true));
  settled.catch(() => undefined);
  while (!isDone) {
    do await macrotask();
    while (pauses > 0);
    if (!isDone) await vi.advanceTimersByTimeAsync(100);
  }
  return settled;
}
