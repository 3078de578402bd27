import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProgramOutput, ReportReading } from '../../../../src/core/agents/runners/presets/preset.ts';
import { findDocuments } from '../../../../src/core/agents/runners/presets/find-documents.ts';
import { readReport } from '../../../../src/core/agents/runners/presets/read-report.ts';
import { shapes } from '../../../../src/core/agents/runners/presets/output-formats.ts';
import type { PresetName } from '../../../../src/core/agents/runner-kind.ts';
import { expectLinear } from '../../../helpers/growth.ts';

const SHAPES = join(import.meta.dirname, '../../../fixtures/presets/shapes');
const hasForm = (text: string): boolean => text.startsWith('---\nposition:');
const ANSWER = '---\nposition: Keep it\n---\nOne release train.\n';
/** Words that only a report's own text has. */
const NARRATION = 'Let me read the brief first.';

const readAs = (program: PresetName, stdout: string, more: Partial<ProgramOutput> = {}): ReportReading =>
  readReport(shapes[program], { stdout: Buffer.from(stdout), stderr: '', exitCode: 0, hasForm, ...more });
const line = (...documents: object[]): string => documents.map((one) => `${JSON.stringify(one)}\n`).join('');

const result = (text: string, more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: text,
  stop_reason: 'end_turn',
  total_cost_usd: 0.01,
  modelUsage: { m: { inputTokens: 10, outputTokens: 20 } },
  ...more,
});
const message = (text: string): object => ({ type: 'item.completed', item: { type: 'agent_message', text } });
const completed = { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 5 } };
const step = (reason: string): object => ({
  type: 'step_finish',
  part: { reason, tokens: { input: 4, output: 2 }, cost: 0.001 },
});
const text = (words: string): object => ({ type: 'text', part: { text: words } });

describe('the shapes of all versions', () => {
  const fixtures = readdirSync(SHAPES).map((name) => ({
    name,
    ...(JSON.parse(readFileSync(join(SHAPES, name), 'utf8')) as Omit<ProgramOutput, 'stdout'> & {
      program: PresetName;
      version: string;
      about: string;
      stdout: string;
      answer: string;
      usage: unknown;
    }),
  }));

  it.each(fixtures)('$program $version prints $about', ({ program, stdout, stderr, answer, usage }) => {
    const reading = readAs(program, stdout, { stderr });
    expect(reading.answer.toString()).toBe(answer);
    expect(reading).toMatchObject({ failure: null, usage });
  });

  it('are no answer without their last document, and cost what was told before it', () => {
    for (const { program, stdout, stderr, name } of fixtures) {
      const lines = stdout.trimEnd().split('\n');
      if (lines.length < 3 || !lines.at(-1)!.startsWith('{')) continue;
      const cut = `${lines.slice(0, -1).join('\n')}\n`;
      const reading = readAs(program, cut, { stderr });
      expect(reading, name).toMatchObject({ isOver: false, failure: { class: 'unended' } });
      if (program === 'claude' || name === 'codex-0.30.json') expect(reading.usage, name).not.toBeNull();
    }
  });
});

describe('a report', () => {
  it.each<[string, string]>([
    ['alone', line(result(ANSWER))],
    ['in a list', JSON.stringify([{ type: 'system' }, result(ANSWER)])],
    ['in a list that was cut behind it', `[{"type":"system"},\n${JSON.stringify(result(ANSWER))},{"ty`],
    ['over many lines', JSON.stringify(result(ANSWER), null, 2)],
    ['behind a warning', `(node:42) [DEP0040] Warning: \`punycode\` is deprecated.\n${line(result(ANSWER))}`],
    ['before a warning', `${line(result(ANSWER))}Update available {1.2.3}\n`],
    ['between noise with brackets', `[INFO] {\n{ level: 'x' }\n${line(result(ANSWER))}]}\n`],
    ['behind noise that never closes', `Reading {config [a\n${JSON.stringify(result(ANSWER), null, 2)}`],
    ['on the line of some words', `Loaded cached credentials. ${line(result(ANSWER))}`],
    ['behind a spinner', `⠙ thinking\r⠹ ${line(result(ANSWER))}`],
    ['among terminal codes', `\u001B]0;claude\u0007\u001B[?25l${line(result(ANSWER))}\u001B[?25h`],
    ['with a mark at the beginning', `\uFEFF${line(result(ANSWER))}`],
    ['twice', line(result(ANSWER), result(ANSWER))],
    ['with another line end', line(result(ANSWER)).replace('\n', '\r\n')],
  ])('is found %s', (_, stdout) => {
    const reading = readAs('claude', stdout);
    expect({ said: reading.answer.toString(), failure: reading.failure }).toEqual({
      said: ANSWER,
      failure: null,
    });
    expect(reading.usage).toMatchObject({ inputTokens: 10, outputTokens: 20, costUsd: 0.01 });
  });

  it.each<[string, string]>([
    ['in a fence', `Like this:\n\`\`\`json\n${line(result(ANSWER))}\`\`\`\n`],
    ['in a quotation', `> ${line(result(ANSWER))}`],
    ['in a string', `warning: cannot read '${JSON.stringify(result(ANSWER))}'\n`],
    ['in the words of a document', line({ type: 'log', line: JSON.stringify(result(ANSWER)) })],
    ['in a document', line({ type: 'log', about: result(ANSWER) })],
    [
      'in a document that was cut',
      JSON.stringify({ list: [result(ANSWER)], more: 'x' }, null, 2).slice(0, -20),
    ],
    ['with bytes that are no text', line(result('x'))],
  ])('is not found %s', (name, stdout) => {
    const bytes = Buffer.from(stdout);
    if (name.startsWith('with bytes')) bytes[bytes.indexOf('"x"') + 1] = 0xff;
    const reading = readReport(shapes.claude, { stdout: bytes, stderr: '', exitCode: 0, hasForm });
    expect(reading.isOver).toBe(false);
    expect(reading.answer.toString()).not.toBe(ANSWER);
  });

  it('is none where two differ, and both cost', () => {
    const reading = readAs('claude', line(result(ANSWER), result(`${ANSWER}More.\n`)));
    expect(reading).toMatchObject({
      failure: { class: 'differ' },
      usage: { inputTokens: 20, outputTokens: 40, costUsd: 0.02 },
    });
    expect(readAs('codex', line(message('A'), completed, message('B'), completed)).failure?.class).toBe(
      'differ',
    );
  });

  it.each<[string, string]>([
    ['final values', '"result":"Keep it","result":"Split it"'],
    ['kinds of report', '"type":"log","result":"Keep it"'],
    ['signs of an error', '"is_error":true,"result":"Keep it"'],
    [
      'final values, one in an escape',
      String.raw`"result":"Keep \"it\"","x":[{"a":1},{"a":2}],"result":"Split it"`,
    ],
  ])('is none where a key stands there twice, with two %s', (_, members) => {
    const whole = `{"type":"result","subtype":"success","is_error":false,${members},"stop_reason":"end_turn"}`;
    const reading = readAs('claude', whole);
    expect(reading.failure).not.toBeNull();
    expect(reading.answer.toString()).toBe('');
    expect(readAs('claude', `{"level":1,"level":2}\n${line(result(ANSWER))}`).answer.toString()).toBe(ANSWER);
    const same = `{"type":"result","result":"A","result":"A","subtype":"success","is_error":false}`;
    expect(readAs('claude', same).answer.toString()).toBe('A');
  });

  it.each<[PresetName, object]>([
    ['openclaw', { payloads: [{ text: 'no such tool', isError: true }], meta: { aborted: false } }],
    ['openclaw', { payloads: [{ text: ANSWER }, { text: 'no', isError: true }], meta: { aborted: false } }],
    ['openclaw', { payloads: [{ text: ANSWER }], meta: { aborted: false, error: { message: 'no' } } }],
    ['openclaw', { ok: true, final: ANSWER, status: 'ok', error: { message: 'no' } }],
    ['gemini', { response: ANSWER, isError: true }],
    ['gemini', { type: 'result', status: 'success', error: 'no' }],
    ['claude', result(ANSWER, { errors: ['no'] })],
    ['codex', { ...completed, error: { message: 'no' } }],
    ['codex', { msg: { type: 'task_complete', last_agent_message: ANSWER, is_error: true } }],
    ['opencode', { ...step('stop'), error: { name: 'no' } }],
  ])('of %s that says itself that it is an error is no answer: %#', (program, document) => {
    const said = program === 'codex' ? [message(ANSWER)] : program === 'opencode' ? [text(ANSWER)] : [];
    const reading = readAs(program, line(...said, document));
    expect(reading).toMatchObject({ isOver: true, failure: { kind: 'failed' } });
    expect(reading.answer.toString()).toBe('');
  });

  it('may stand anywhere in whatever noise', () => {
    const noise = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('{', '[', '}', ']', '{"a":', '[{', 'x {"a":1}', '"', '\\')),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const isNoise = [...before, ...after].every((one) => !/[`~>]/.test(one));
        fc.pre(isNoise);
        const stdout = [...before, JSON.stringify(result(ANSWER)), ...after].join('\n');
        const reading = readAs('claude', stdout);
        // It is found, or nothing is: never something else.
        if (reading.isOver) expect(reading.answer.toString()).toBe(ANSWER);
        else expect(reading.answer.toString()).not.toContain('position: Keep it\n');
      }),
    );
  });

  it('is looked for in one go over the output', async () => {
    for (const row of ['{"a": [', '{\n', '[', 'x [', '"{', '{"a":"b"}\n', '] [ {'])
      await expectLinear(row, 125_000, (n) => findDocuments(Buffer.from(row.repeat(n / row.length))));
  });
});

describe('the sign of the end', () => {
  it.each<[PresetName, string]>([
    ['claude', line({ type: 'assistant', message: { content: [{ type: 'text', text: NARRATION }] } })],
    ['claude', line(result(NARRATION, { stop_reason: 'tool_use' }))],
    ['claude', line(result(NARRATION, { stop_reason: 'something new' }))],
    ['claude', line({ ...result(NARRATION), is_error: undefined, subtype: undefined })],
    ['claude', line(result(ANSWER), result(NARRATION, { stop_reason: 'tool_use' }))],
    ['codex', line(message('Done?'), completed, message(NARRATION))],
    ['codex', line({ type: 'thread.started' }, message(NARRATION))],
    ['codex', line({ msg: { type: 'agent_message', message: NARRATION } })],
    ['gemini', line({ type: 'message', role: 'assistant', content: NARRATION, delta: true })],
    ['opencode', line(text(NARRATION))],
    ['opencode', line(text(NARRATION), step('tool-calls'))],
    ['opencode', line(text('Done?'), step('stop'), { type: 'step_start' }, text(NARRATION))],
    ['openclaw', line({ final: NARRATION, status: 'ok' })],
  ])('is missing: nothing of it is an answer of %s', (program, stdout) => {
    const reading = readAs(program, stdout);
    expect(reading.answer.toString()).toBe('');
    expect(reading.failure).not.toBeNull();
  });

  it.each<[PresetName, string, string]>([
    ['claude', line(result(ANSWER, { stop_reason: 'max_tokens' })), 'cut'],
    ['claude', line(result(ANSWER, { stop_reason: 'model_context_window_exceeded' })), 'context'],
    ['claude', line({ type: 'result', subtype: 'error_max_turns', is_error: false }), 'turns'],
    ['claude', line({ type: 'result', subtype: 'error_max_turns', is_error: true, num_turns: 9 }), 'turns'],
    ['claude', line(result('No.', { is_error: true, stop_reason: 'refusal' })), 'refusal'],
    ['gemini', line({ response: ANSWER, finishReason: 'MAX_TOKENS' }), 'cut'],
    ['openclaw', line({ ok: true, final: ANSWER, meta: { finish_reason: 'content_filter' } }), 'refusal'],
    ['opencode', line(text(ANSWER), step('length')), 'cut'],
    ['opencode', line(text(ANSWER), step('content-filter')), 'refusal'],
    ['opencode', line({ type: 'error', error: { name: 'MessageOutputLengthError', data: {} } }), 'cut'],
    [
      'openclaw',
      line({ payloads: [{ text: ANSWER }], meta: { aborted: false, stopReason: 'length' } }),
      'cut',
    ],
  ])('tells of a limit: %s %#', (program, stdout, own) => {
    const { failure, answer } = readAs(program, stdout);
    expect({ class: failure?.class, words: answer.length }).toEqual({ class: own, words: 0 });
  });

  it('is the exit code where plain text is printed', () => {
    expect(readAs('gemini', ANSWER)).toMatchObject({ answer: Buffer.from(ANSWER), failure: null });
    // Cut before it was one document.
    expect(readAs('gemini', '{\n  "response": "Keep').failure).toMatchObject({ class: 'unended' });
    expect(readAs('claude', line({ kind: 'final', words: ANSWER })).failure).toMatchObject({
      class: 'unknown',
    });
  });

  it('is no other than that of the program itself: an error that was mended takes nothing away', () => {
    const stderr = '_ApiError: {"error":{"code":429,"message":"slow down"}}\n';
    expect(readAs('gemini', line({ response: ANSWER }), { stderr }).answer.toString()).toBe(ANSWER);
    expect(readAs('gemini', ANSWER, { stderr }).answer.toString()).toBe(ANSWER);
    const tried = line({ type: 'error', message: 'Reconnecting 1/5' }, message(ANSWER), completed);
    expect(readAs('codex', tried).answer.toString()).toBe(ANSWER);
  });
});

describe('the answer of a turn', () => {
  it('is the last message with the form, else the last', () => {
    const narrated = line(message(NARRATION), message(ANSWER), message('Done.'), completed);
    expect(readAs('codex', narrated).answer.toString()).toBe(ANSWER);
    expect(readAs('codex', narrated, { hasForm: () => false }).answer.toString()).toBe('Done.');
    const steps = [text(NARRATION), step('tool-calls'), text('One.'), text('Two.'), step('stop')];
    expect(readAs('opencode', line(...steps)).answer.toString()).toBe('One.\n\nTwo.');
  });
});

describe('what was used up', () => {
  it('is read where the answer is not', () => {
    const unread = { inputTokens: 10, outputTokens: 20, costUsd: 0.01 };
    expect(readAs('claude', line(result('', { subtype: 'error_during_execution' }))).usage).toMatchObject(
      unread,
    );
    expect(readAs('claude', line(result(ANSWER, { type: 'final' }))).usage).toMatchObject({ costUsd: 0.01 });
    const usage = { input_tokens: 10, output_tokens: 5 };
    expect(readAs('codex', line({ kind: 'new', usage })).usage).toMatchObject({
      inputTokens: 10,
      outputTokens: 5,
    });
  });

  it.each<[PresetName, object, object]>([
    ['claude', [[result(ANSWER)]], { inputTokens: 10, outputTokens: 20 }],
    ['claude', { response: result(ANSWER) }, { inputTokens: 10, outputTokens: 20, costUsd: 0.01 }],
    [
      'gemini',
      {
        candidates: [{}],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 6, cachedContentTokenCount: 2 },
      },
      { inputTokens: 5, outputTokens: 6, cachedTokens: 2 },
    ],
    [
      'opencode',
      { type: 'step_end', part: { tokens: { input: 7, output: 8 }, cost: 0.5 } },
      { inputTokens: 7, outputTokens: 8, costUsd: 0.5 },
    ],
    [
      'codex',
      {
        type: 'done',
        turns: [{ usage: { prompt_tokens: 3 } }],
        usage: { prompt_tokens: 9, completion_tokens: 4 },
      },
      { inputTokens: 9, outputTokens: 4 },
    ],
  ])('is found by its names in what no rule knows: %s %#', (program, document, usage) => {
    expect(readAs(program, line(document)).usage).toMatchObject(usage);
  });

  it('is not known where nothing tells it', () => {
    expect(readAs('claude', line({ type: 'x' })).usage).toBeNull();
    expect(readAs('claude', line({ usage: { input_tokens: -1, output_tokens: 'many' } })).usage).toBeNull();
  });
});
