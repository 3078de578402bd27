import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/core/agents/agent.ts';
import { checkAgents } from '../../../src/core/agents/check.ts';
import { agentRegistry } from '../../../src/core/agents/registry.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'agent-files');

function registryOf(...folders: string[]): ReturnType<typeof agentRegistry> {
  const files = (folder: string): { path: string; text: string }[] =>
    readdirSync(join(FIXTURES, folder)).map((name) => {
      const path = join(FIXTURES, folder, name);
      return { path, text: readFileSync(path, 'utf8') };
    });
  return agentRegistry(folders.map((folder) => ({ source: 'project', files: () => files(folder) })));
}

describe('agent files that people have today', () => {
  it.each(['claude-code', 'opencode', 'openclaw'])('load unchanged and without a word: %s', (folder) => {
    const registry = registryOf(folder);
    expect(registry.problems()).toEqual([]);
    const report = checkAgents(registry, { env: {}, findCommand: () => undefined });
    expect(report.agents.length).toBe(3);
    expect(report).toMatchObject({ ok: true, problems: [] });
    expect(report.agents.flatMap(({ findings }) => findings)).toEqual([]);
  });

  it.each<[string, string, Partial<Agent>]>([
    [
      'claude-code',
      'security-auditor',
      { model: 'inherit', tools: ['Read', 'Grep', 'Glob', 'Bash(git diff:*)', 'Agent(explorer, planner)'] },
    ],
    [
      'claude-code',
      'test-runner',
      {
        model: 'claude-sonnet-4-5-20250929',
        tools: ['Read', 'Edit', 'Bash'],
        description:
          'Runs the tests and mends what fails.\nUse it after every change: it never skips a test.',
      },
    ],
    ['claude-code', 'code-explainer', { tools: [], model: null }],
    ['opencode', 'review', { tools: ['bash'], model: 'anthropic/claude-sonnet-4-20250514' }],
    ['opencode', 'plan', { persona: 'Think first. {file:./rules.txt}', model: 'openai/gpt-5' }],
    ['opencode', 'plain', { persona: 'You answer in one sentence.' }],
    ['openclaw', 'molty', { title: 'molty', description: '' }],
    ['openclaw', 'researcher', { description: 'Looks things up: papers, docs and changelogs' }],
    ['openclaw', 'keeper', { model: null }],
  ])('keep what they say: %s, %s', (folder, id, expected) => {
    expect(registryOf(folder).require(id)).toMatchObject({ id, runner: 'human', ...expected });
  });

  it('sit down with a line about the runner, and nothing else changed', () => {
    const text = readFileSync(join(FIXTURES, 'opencode', 'review.md'), 'utf8');
    const [, front, body] = text.split(/^---$/m) as [string, string, string];
    const edited = `---${front}council: { runner: opencode }\n---${body}`;
    const agents = agentRegistry([
      { source: 'project', files: () => [{ path: 'agents/review.md', text: edited }] },
    ]);
    expect(agents.require('review')).toMatchObject({ runner: 'opencode', command: [], emoji: '🤖' });
  });
});
