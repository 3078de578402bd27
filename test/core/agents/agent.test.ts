import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { renderAgent } from '../../../src/core/agents/render-agent.ts';
import type { Agent } from '../../../src/core/agents/agent.ts';
import { PROVIDER_NAMES } from '../../../src/core/agents/providers.ts';
import { AGENT_ROLES, LIFECYCLES, RISKS } from '../../../src/core/agents/work-settings.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { countCases } from '../../helpers/long.ts';

const fixture = (name: string): Agent => {
  const path = join(import.meta.dirname, 'fixtures', name);
  return parseAgent(readFileSync(path, 'utf8'), path, 'project');
};
const parse = (yaml: string, path = 'agents/henry.md'): Agent =>
  parseAgent(`---\n${yaml}\n---\nYou are.\n`, path, 'project');
const refusal = (yaml: string, path?: string): CouncilError => {
  try {
    parse(yaml, path);
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  }
  throw new Error('was accepted');
};

describe('parseAgent', () => {
  it('reads a Claude Code agent: a comma string of tools, and a description that is no YAML', () => {
    const agent = fixture('code-reviewer.md');
    expect(agent).toMatchObject({
      id: 'code-reviewer',
      title: 'code-reviewer',
      model: 'sonnet',
      tools: ['Read', 'Grep', 'Bash(git diff:*, git log:*)'],
      runner: 'human',
      emoji: '👤',
      command: [],
      input: 'prompt',
      timeout: 300_000,
      env: [],
      capabilities: [],
      source: 'project',
    });
    expect(agent.description).toContain('Examples: <example>Context: a diff is ready');
    expect(agent.persona).toBe('You are a senior reviewer.\n\n## Method\n\nRead the diff first.');
  });

  it('reads an OpenCode agent: no name, a mapping of tools', () => {
    expect(fixture('docs-writer.md')).toMatchObject({
      id: 'docs-writer',
      tools: ['write', 'edit'],
      model: 'anthropic/claude-sonnet-4-20250514',
    });
  });

  it("reads council's own keys, and takes the stem when the name is no id", () => {
    const agent = fixture('henry.md');
    expect(agent).toMatchObject({
      id: 'henry',
      title: 'Henry',
      emoji: '🦉',
      runner: 'command',
      command: ['node', 'speak.mjs', 'henry'],
      input: 'json',
      timeout: 90_000,
      env: ['HENRY_TOKEN'],
      capabilities: ['reason', 'review'],
    });
    expect(agent.notes).toBeUndefined();
  });

  it('takes a file without front matter as a persona', () => {
    const agent = parseAgent('Just be kind.\n', '.claude/agents/kind.md', 'claude');
    expect(agent).toMatchObject({
      id: 'kind',
      persona: 'Just be kind.',
      runner: 'human',
      description: '',
      model: null,
      tools: [],
    });
  });

  it('reads a file with a BOM and CRLF line ends', () => {
    const agent = parseAgent('\uFEFF---\r\nname: henry\r\ntools: [Read]\r\n---\r\nHello\r\n', 'x.md', 'user');
    expect(agent).toMatchObject({ id: 'henry', tools: ['Read'], persona: 'Hello' });
  });

  it('takes a command without a runner as a command runner, an explicit runner as it is', () => {
    expect(parse('council:\n  command: [claude, -p]')).toMatchObject({ runner: 'command', emoji: '🤖' });
    expect(parse('council:\n  runner: human\n  command: [claude]')).toMatchObject({
      runner: 'human',
      emoji: '👤',
    });
    expect(parse('council:')).toMatchObject({ runner: 'human' });
  });

  it('keeps title and emoji on one short, safe line', () => {
    const agent = parse(
      `council:\n  title: "He\\x1B[31mn\\nry ${'x'.repeat(200)}"\n  emoji: "${'🦉'.repeat(40)}\\u202E"`,
    );
    expect(agent.title).toMatch(/^He\[31mn ry x+…$/);
    expect([...agent.title]).toHaveLength(80);
    expect([...agent.emoji]).toHaveLength(16);
    expect(parse('council:\n  title: "\\u202E"').title).toBe('henry');
  });

  it('tells of keys under council that mean nothing', () => {
    expect(parse('council:\n  timout: 5s\n  title: H').notes).toEqual([
      'Unknown under "council", ignored: timout.',
    ]);
  });

  it.each([
    ['council: 5', '"council" must be a mapping, but is the number 5'],
    ['council:\n  runner: shell', '"council.runner" must be one of human, command, claude, '],
    [
      'council:\n  runner: command',
      '"council.command" must be a list of a program and its arguments, but is missing',
    ],
    [
      'council:\n  command: claude -p',
      '"council.command" must be a list of texts, but is the text "claude -p"',
    ],
    [
      'council:\n  command: [sleep, 5]',
      '"council.command" must be a list of texts, but is the list ["sleep",5]',
    ],
    ['council:\n  command: [""]', '"council.command" must be a list that starts with a program'],
    ['council:\n  command: [node, "a\\0b"]', '"council.command" must be a list that starts with a program'],
    ['council:\n  input: xml', '"council.input" must be one of prompt, json, line, but is the text "xml"'],
    ['council:\n  timeout: soon', 'Not a valid value of "council.timeout": "soon"'],
    ['council:\n  timeout: [5]', '"council.timeout" must be a duration, but is the list [5]'],
    ['council:\n  env: [A=b]', '"council.env" must be a list of names of environment variables'],
    ['council:\n  capabilities: 7', '"council.capabilities" must be a comma-separated text, a list of texts'],
    ['council:\n  title: [a]', '"council.title" must be a text, but is the list ["a"]'],
    ['a: [', 'the front matter cannot be read'],
  ])('refuses %j', (yaml, message) => {
    const error = refusal(yaml);
    expect(error.code).toBe('invalid_agent');
    expect(error.message).toContain('agents/henry.md: ');
    expect(error.message).toContain(message);
  });

  it('shows an example where a form is expected', () => {
    expect(refusal('council:\n  runner: command').hint).toContain('["node", "speak.mjs", "henry"]');
    expect(refusal('council:\n  timeout: soon').hint).toContain('300s');
  });

  it.each(['con.md', '.agent.md', '审查.md'])('refuses the file name %s without a name', (path) => {
    const error = refusal('title: x', path);
    expect(error.code).toBe('invalid_agent');
    expect(error.message).toContain(path);
    expect(error.hint).toContain('name: henry');
  });

  it('never runs front matter that is a program', () => {
    const text = '---js\nglobalThis.__agentRan = true\n---\nx';
    expect(() => parseAgent(text, 'evil.md', 'project')).toThrow(
      expect.objectContaining({ code: 'invalid_agent' }),
    );
    expect(Reflect.get(globalThis, '__agentRan')).toBeUndefined();
  });
});

describe('prices', () => {
  it('are US$ per million tokens, both of them', () => {
    expect(parse('council: { runner: model, prices: { input: 0.5, output: 15 } }').prices).toEqual({
      input: 0.5,
      output: 15,
    });
    expect(parse('council: { runner: model }').prices).toBeNull();
    expect(refusal('council: { prices: 3 }').message).toContain('"council.prices" must be a mapping');
    expect(refusal('council: { prices: { input: 3 } }').message).toContain('both "input" and "output"');
    expect(refusal('council: { prices: { input: -1, output: 2 } }').message).toContain('a number from 0 on');
  });
});

describe('renderAgent', () => {
  it('writes only what differs from the defaults', () => {
    expect(renderAgent({ id: 'sage', title: 'sage', persona: 'Be wise.' })).toBe(
      '---\nname: sage\n---\n\nBe wise.\n',
    );
  });

  it('refuses an id that no file may have', () => {
    expect(() => renderAgent({ id: '../x' })).toThrow(expect.objectContaining({ code: 'invalid_id' }));
  });

  it('never runs a persona that looks like front matter', () => {
    const persona = '---js\nglobalThis.__personaRan = true\n---\nx';
    const text = renderAgent({ id: 'evil', persona });
    expect(Reflect.get(globalThis, '__personaRan')).toBeUndefined();
    expect(parseAgent(text, 'evil.md', 'project').persona).toBe(persona);
  });

  it('is read back as it was', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
    const words = fc.uniqueArray(word, { maxLength: 3 });
    const line = fc
      .string({ unit: 'grapheme' })
      .map(
        (text) =>
          [...text.replace(/\p{C}|\p{Default_Ignorable_Code_Point}|\s/gu, '')].slice(0, 10).join('') || 'x',
      );
    const agents = fc.record({
      id: fc.stringMatching(/^[a-z][a-z0-9-]{3,10}$/),
      title: line,
      description: fc.string().map((text) => text.trim()),
      persona: fc.string().map((text) => text.replaceAll('\r', '').trim()),
      model: fc.option(word),
      tools: words,
      command: fc.array(
        fc.string().map((text) => text.replaceAll('\0', '').trim() || 'node'),
        { minLength: 1, maxLength: 3 },
      ),
      input: fc.constantFrom('prompt', 'json', 'line'),
      timeout: fc.integer({ min: 1, max: 86_400_000 }),
      args: fc.array(word, { maxLength: 2 }),
      inactivity: fc.option(fc.integer({ min: 1, max: 86_400_000 })),
      repair: fc.option(fc.integer({ min: 0, max: 2 })),
      maxOutput: fc.integer({ min: 1, max: 1024 * 1024 }),
      budget: fc.record({
        usd: fc.option(fc.constantFrom(0.01, 2, 50)),
        tokens: fc.option(fc.integer({ min: 1 })),
      }),
      baseUrl: fc.option(word),
      apiKey: fc.option(word),
      prices: fc.option(
        fc.record({ input: fc.integer({ min: 1, max: 99 }), output: fc.integer({ min: 1, max: 99 }) }),
      ),
      permissions: fc.constantFrom('refuse', 'allow'),
      env: words,
      capabilities: words,
      role: fc.option(fc.constantFrom(...AGENT_ROLES)),
      lifecycle: fc.constantFrom(...LIFECYCLES),
      max_depth: fc.option(fc.integer({ min: 0, max: 5 })),
      concurrency: fc.integer({ min: 1, max: 9 }),
      rate: fc.option(fc.integer({ min: 1, max: 600 })),
      provider: fc.option(fc.constantFrom(...PROVIDER_NAMES)),
      temperature: fc.option(fc.constantFrom(0, 0.7, 2)),
      max_tokens: fc.option(fc.integer({ min: 256, max: 128_000 })),
      max_tool_iterations: fc.integer({ min: 1, max: 200 }),
      enable_thinking: fc.boolean(),
      mcp_servers: words,
      'runs-on': fc.uniqueArray(fc.constantFrom('gpu', 'build-host', 'a1')),
      risk: fc.constantFrom(...RISKS),
      ttl: fc.option(fc.integer({ min: 1, max: 86_400_000 })),
    });
    fc.assert(
      fc.property(agents, (agent) => {
        const full = {
          ...agent,
          ttl: agent.lifecycle === 'temporary' ? agent.ttl : null,
          emoji: '🦉',
          runner: 'command' as const,
          path: 'x.md',
          source: 'project' as const,
        };
        expect(parseAgent(renderAgent(full), 'x.md', 'project')).toEqual(full);
      }),
      { numRuns: countCases(300) },
    );
  });
});
