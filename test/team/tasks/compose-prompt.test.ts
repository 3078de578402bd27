import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  composePrompt,
  fillTemplate,
  PROMPTS,
  PROMPT_VARIABLES,
  selectPromptName,
} from '../../../src/team/tasks/prompt.ts';

const FOLDER = join(import.meta.dirname, '../../../templates/agents/prompts');
const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `<${name}>`]));

describe('the templates of prompts', () => {
  it.each(PROMPTS.flatMap((name) => [`${name}.md`, `${name}.fr.md`]))(
    '%s uses every variable there is, and no other',
    (file) => {
      const name = PROMPTS.find((one) => file.startsWith(one))!;
      const filled = fillTemplate(
        readFileSync(join(FOLDER, file), 'utf8'),
        valuesOf(PROMPT_VARIABLES[name]),
        file,
      );
      for (const variable of PROMPT_VARIABLES[name]) expect(filled).toContain(`<${variable}>`);
      expect(filled).not.toMatch(/[{}]/);
    },
  );

  it('are all of them', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(
      PROMPTS.flatMap((name) => [`${name}.fr.md`, `${name}.md`]).sort(),
    );
  });
});

describe('filling in a template', () => {
  it('names what it does not know, and what it knows', () => {
    const fill = () =>
      fillTemplate(
        'Do {task} with {toools} and {toools}, not {tols}.',
        { task: 'x', tools: 'y' },
        'agents/w1.md',
      );
    expect(fill).toThrow('agents/w1.md asks for {toools}, {tols}, which are no variables there.');
    expect(fill).toThrow(
      expect.objectContaining({ code: 'invalid_config', hint: 'There are: {task}, {tools}.' }) as Error,
    );
  });

  it('takes values as they are, braces and dollars included', () => {
    expect(fillTemplate('{a}/{b}', { a: '{b} $& {"x": 1}', b: '{zzz}' }, 't')).toBe('{b} $& {"x": 1}/{zzz}');
    expect(fillTemplate('{"json": {}} { a }', {}, 't')).toBe('{"json": {}} { a }');
    expect(() => fillTemplate('{constructor}', {}, 't')).toThrow('{constructor}');
  });
});

describe('composing a prompt', () => {
  it('puts who is asked first and the task last, and leaves out what is empty', () => {
    const parts = {
      system: ' You are Ana.\n',
      shared: 'House rules',
      template: 'Work.',
      task: 'Count {llamas}.\n\n',
    };
    expect(composePrompt(parts)).toBe('You are Ana.\n\nHouse rules\n\nWork.\n\nCount {llamas}.\n');
    expect(composePrompt({ system: '', template: '', task: 'Count.' })).toBe('Count.\n');
  });

  it('chooses by role, then by what somebody can', () => {
    expect(selectPromptName({ role: 'orchestrator', capabilities: ['web_search'] })).toBe('orchestrator');
    expect(selectPromptName({ role: 'worker', capabilities: ['summarize', 'web_fetch'] })).toBe('research');
    expect(selectPromptName({ role: null, capabilities: ['code_read'] })).toBe('worker');
  });
});
