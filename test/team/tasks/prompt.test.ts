import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selectPromptName, renderWorkerPrompt } from '../../../src/team/tasks/prompt.ts';
import type { WorkerPromptInput } from '../../../src/team/tasks/prompt.ts';
import { buildTask } from '../../../src/team/tasks/task.ts';
import { buildTaskLine } from '../../../src/team/tasks/wire-lines.ts';

const FOLDER = join(import.meta.dirname, '../../../templates/agents/prompts');
const template = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const NOW = '2026-01-02T03:04:05.000Z';
const task = {
  ...buildTask({ id: 'T1', session: 'S1', text: 'Count {the} llamas.', budget: 500 }, NOW),
  clarifications: 1,
};
const said = (id: string, body: string, from = 'O1', to = 'W1') =>
  buildTaskLine(task, { id, time: NOW, from, to, kind: 'request', state: 'N', body });

const prompting = (more: Partial<WorkerPromptInput> = {}): WorkerPromptInput => ({
  task: { ...task, exchange: [said('M1', 'call=count'), said('M2', 'which=north')] },
  wire: 'W1',
  line: said('M2', 'which=north'),
  version: 'V5',
  persona: 'You are Ana.',
  enclosures: [{ name: '#REF:T0:S', text: 'Five in {the} north.' }],
  capabilities: ['web_search', 'summarize'],
  lang: 'en',
  template: template('worker.md'),
  limits: { depth: 3, children: 3 },
  ...more,
});

describe("a worker's prompt", () => {
  it('says who it is, what came before, how to work, and what to do last', () => {
    const prompt = renderWorkerPrompt(prompting());
    const order = [
      'You are Ana.',
      'So far:',
      'Enclosed, #REF:T0:S:',
      'You are W1, a worker;',
      'The request:',
      'Count {the} llamas.',
    ].map((text) => prompt.indexOf(text));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(prompt).toContain('You can: web_search, summarize.');
    expect(prompt).toContain('Five in {the} north.');
    expect(prompt).toContain('Questions left: 1.');
    expect(prompt).toContain('Handed on: 0 of 3 times. Tokens left: 500;');
    expect(prompt.split('\n')).toContain('M2|O1>W1|R|T1|P1|N|-|0|S1|B500|which=north');
    expect(prompt.endsWith('Count {the} llamas.\n')).toBe(true);
    // What is asked now is not said twice.
    expect(prompt.split('which=north')).toHaveLength(2);
  });

  it('shows the short forms that end a turn, and who it is', () => {
    const lines = renderWorkerPrompt(prompting())
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim());
    expect(lines).toEqual([
      'S key=value;key=value',
      'C question=…;options=a,b',
      'E E33 desc=…',
      'X call=CAPABILITY;reason=…',
    ]);
    expect(renderWorkerPrompt(prompting())).toContain('task T1 of session S1');
  });

  it.each(['worker.md', 'worker.fr.md', 'research.md', 'research.fr.md'])(
    'takes few words for the protocol: %s',
    (name) => {
      // About four characters a token: 200 tokens of o200k are 800 characters in English, more in French.
      const text = renderWorkerPrompt(prompting({ template: template(name), persona: '', enclosures: [] }));
      const part = /\n- (?:Answer|Répondez)[\s\S]*?(?=\nThe request:)/.exec(text)?.[0] ?? '';
      expect(part).toContain('E E33 desc=…');
      expect(part.length).toBeLessThan(800);
    },
  );

  it.each(readdirSync(FOLDER))('has a value for each variable of %s', (name) => {
    const plain = { ...task, text: 'Count.' };
    const prompt = renderWorkerPrompt(prompting({ task: plain, template: template(name), enclosures: [] }));
    expect(prompt).not.toMatch(/\{\w+\}/);
  });

  it('works by the role, then by what the worker can do', () => {
    expect(selectPromptName({ role: 'orchestrator', capabilities: ['web_search'] })).toBe('orchestrator');
    expect(selectPromptName({ role: 'worker', capabilities: ['summarize', 'web_fetch'] })).toBe('research');
    expect(selectPromptName({ role: null, capabilities: ['code_read'] })).toBe('worker');
  });

  it('gives an orchestrator the workers, the house rules and the last messages', () => {
    const lines = Array.from({ length: 30 }, (_, at) => said(`M${at + 1}`, `step=${at + 1}`));
    const overview = {
      houseRules: 'Llamas first.',
      lines,
      workers: [
        { wire: 'W1', id: 'ada', capabilities: ['web_search', 'plan'] },
        { wire: 'W2', id: 'ben', capabilities: [] },
      ],
    };
    const prompt = renderWorkerPrompt(
      prompting({
        wire: 'O1',
        lang: 'fr',
        template: template('orchestrator.fr.md'),
        overview,
        line: said('M40', 'x=y'),
      }),
    );
    expect(prompt).toContain('Llamas first.');
    expect(prompt).toContain('- W1 (ada): web_search, plan\n- W2 (ben): -');
    expect(prompt).toContain('step=11\n');
    expect(prompt).not.toContain('step=10\n');
    expect(prompt).toContain('rien n’est transmis plus de 3 fois');
  });
});
