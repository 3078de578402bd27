// Detects known agent programs on PATH, with their versions.
import { parse } from 'node:path';
import { toOneLine } from '../../base/text.ts';
import { parseAgent } from '../agent.ts';
import type { PresetName } from '../runner-kind.ts';
import { createCommandRunner } from './command.ts';
import { createCommandFinder, isInside, dropProjectFromPath } from './find-command.ts';
import { presets } from './presets/preset-table.ts';

/** A known program, with the names to show and to look for. */
export interface Program {
  preset: PresetName;
  title: string;
  emoji: string;
  binary: string;
  install: string;
  /** Arguments that list its models (first word of each line after the heading), if it needs one to run. */
  models?: string[];
}

const createPresetProgram = (preset: PresetName, title: string, emoji: string): Program => ({
  preset,
  title,
  emoji,
  binary: presets[preset].program,
  install: presets[preset].install,
});

export const PROGRAMS: readonly Program[] = [
  createPresetProgram('claude', 'Claude Code', '🟠'),
  createPresetProgram('codex', 'Codex', '⚪'),
  createPresetProgram('gemini', 'Gemini CLI', '🔵'),
  createPresetProgram('opencode', 'OpenCode', '🟢'),
  createPresetProgram('openclaw', 'OpenClaw', '🦞'),
  { ...createPresetProgram('ollama', 'Ollama', '🦙'), models: ['list'] },
  createPresetProgram('llm', 'llm', '🟣'),
];

/** A known program found on PATH. */
export interface DetectedProgram {
  program: Program;
  path: string;
  /** Null if it did not answer. */
  version: string | null;
  /** The model to run, for a program that requires one. */
  model: string | null;
  /** All models it lists, preferred one first; empty if not queried. */
  models: readonly string[];
  /** Why it cannot be seated as it is; null if it can. */
  problem: string | null;
}

/** Long enough for a program that loads half of Node on a slow disk. */
const ANSWER_MS = 5000;

/**
 * Finds the agent programs on the PATH of `env` and queries their versions in parallel. One that fails or
 * hangs is ended with its whole group, and reported with the reason. A program below `notIn` is reported
 * without being run: a project may come from elsewhere, and a relative PATH leads into it. No program is run
 * with the project as its folder, since some read what to run from its files.
 */
export async function detectPrograms(request: {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Timeout for a program's answer in milliseconds. */
  answerMs?: number;
  notIn?: string;
  /** Limits the search to these presets. */
  only?: readonly string[] | undefined;
}): Promise<DetectedProgram[]> {
  const find = createCommandFinder(request.cwd, request.env);
  const wanted = PROGRAMS.filter(({ preset }) => request.only?.includes(preset) ?? true);
  const found = wanted.flatMap((program) => {
    const path = find(program.binary);
    return path === undefined ? [] : [{ program, path }];
  });
  return Promise.all(found.map(({ program, path }) => inspectProgram(program, path, request)));
}

/** Finds the same programs without running any; one that requires a model is not seated then. */
export function findProgramsOnPath({
  cwd,
  env,
  notIn,
  only,
}: Omit<Parameters<typeof detectPrograms>[0], 'signal'>): DetectedProgram[] {
  const find = createCommandFinder(cwd, env);
  return PROGRAMS.filter(({ preset }) => only?.includes(preset) ?? true).flatMap((program) => {
    const path = find(program.binary);
    if (path === undefined) return [];
    const isForeign = notIn !== undefined && isInside(notIn, path, env);
    const problem = isForeign ? IN_PROJECT : program.models ? 'its models are not asked for' : null;
    return { program, path, version: null, model: null, models: [], problem };
  });
}

const IN_PROJECT = 'it lies in the project, and is not run before somebody has seated it';

async function inspectProgram(
  program: Program,
  path: string,
  request: Parameters<typeof detectPrograms>[0],
): Promise<DetectedProgram> {
  const seen = { program, path, version: null, model: null, models: [] };
  if (request.notIn !== undefined && isInside(request.notIn, path, request.env))
    return { ...seen, problem: IN_PROJECT };
  const said = await captureProgramOutput([path, '--version'], request);
  if (!said.ok) return { ...seen, problem: `"${program.binary} --version": ${said.reason}` };
  const version = /\d+\.\d+[\w.+-]*/.exec(said.text)?.[0] ?? toOneLine(said.text, 60);
  if (!program.models) return { ...seen, version, problem: null };
  const listed = await captureProgramOutput([path, ...program.models], request);
  const models = listed.text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/)[0] ?? '')
    .filter((name) => name !== '');
  const why = listed.ok ? 'it has no model yet' : `no models are known: ${listed.reason}`;
  const [model = null] = models;
  return { ...seen, version, model, models, problem: model === null ? why : null };
}

async function captureProgramOutput(
  command: [path: string, ...args: string[]],
  { notIn, env, signal, answerMs = ANSWER_MS }: Parameters<typeof detectPrograms>[0],
): Promise<{ ok: boolean; reason: string | null; text: string }> {
  const settings = { runner: 'command', command, timeout: `${answerMs}ms` };
  const agent = parseAgent(`---\ncouncil: ${JSON.stringify(settings)}\n---\n`, 'version.md', 'built-in');
  const { ok, reason, output } = await createCommandRunner().speak({
    agent,
    input: '',
    system: '',
    turn: null,
    toolServers: [],
    cwd: parse(command[0]).root,
    env: notIn === undefined ? env : { ...env, PATH: dropProjectFromPath(notIn, env) },
    extraEnv: {},
    signal,
    onSpawn: async () => undefined,
  });
  return { ok, reason, text: output.toString('utf8').trim() };
}
