import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { parseAgent } from '../../src/core/agents/agent.ts';
import type { Agent } from '../../src/core/agents/agent.ts';
import type { Runner, SpeakRequest, SpeakResult } from '../../src/core/agents/runners/turn-types.ts';
import { PROGRAMS } from './runner-programs.ts';

export interface Harness {
  /** Where the programs lie, and the folder they run in. */
  folder: string;
  agent: (program: keyof typeof PROGRAMS, more?: Partial<Agent>) => Agent;
  speak: (agent: Agent, more?: Partial<SpeakRequest>) => Promise<SpeakResult>;
  /** Processes that a test expects to survive, and that are killed after it. */
  strays: number[];
}

/** Programs in a folder of their own, and a check after every test that no process of any group is left. */
export function harness(runner: () => Runner, programs: typeof PROGRAMS = PROGRAMS): Harness {
  const folder = mkdtempSync(join(tmpdir(), 'council-runner-'));
  for (const [file, code] of Object.entries(programs)) writeFileSync(join(folder, `${file}.mjs`), code);
  writeFileSync(join(folder, 'orphan'), '#!/no/such/interpreter\n', { mode: 0o755 });
  const groups: number[] = [];
  const strays: number[] = [];

  // Orphans that have ended count until the system's first process collects them: that can take seconds.
  afterEach(async () => {
    for (const pid of strays.splice(0)) process.kill(pid, 'SIGKILL');
    for (const group of groups.splice(0)) {
      await expect.poll(() => isRunning(-group)).toBe(false);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  return {
    folder,
    strays,
    agent: (program, more = {}) => {
      const base = parseAgent('---\ncouncil: { command: [node] }\n---\n', 'agents/fake.md', 'project');
      return { ...base, command: [process.execPath, join(folder, `${program}.mjs`)], ...more };
    },
    speak: (agent, more = {}) =>
      runner().speak({
        agent,
        input: 'the prompt',
        system: '',
        turn: null,
        toolServers: [],
        cwd: folder,
        env: process.env,
        extraEnv: {},
        signal: new AbortController().signal,
        ...more,
        onSpawn: async (pid) => {
          groups.push(pid);
          await more.onSpawn?.(pid);
        },
      }),
  };
}

/** True while a process (or, with a negative number, a group) exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
