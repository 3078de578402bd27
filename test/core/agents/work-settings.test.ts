import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import type { Agent } from '../../../src/core/agents/agent.ts';

const read = (council: string, before = ''): Agent =>
  parseAgent(
    `---\n${before}council:\n  ${council.replaceAll('\n', '\n  ')}\n---\nYou are.\n`,
    'agents/w.md',
    'project',
  );
const message = (council: string): string => {
  try {
    read(council);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the keys of an agent that works on tasks', () => {
  it('are all read, 0 included', () => {
    const agent = read(
      [
        'capabilities: [web_search, summarize, our_own]',
        'role: worker',
        'lifecycle: temporary',
        'ttl: 3600',
        'max_depth: 0',
        'concurrency: 2',
        'rate: 10',
        'runner: model',
        'provider: mistral',
        'model: mistral-large-latest',
        'temperature: 0',
        'max_tokens: 4096',
        'max_tool_iterations: 200',
        'enable_thinking: false',
        'tools: [memory, todo]',
        'mcp_servers: serena, context7',
        'runs-on: [gpu, build-host]',
        'risk: high',
      ].join('\n'),
      'model: opus\ntools: Read\n',
    );
    expect(agent).toMatchObject({
      capabilities: ['web_search', 'summarize', 'our_own'],
      role: 'worker',
      lifecycle: 'temporary',
      ttl: 3_600_000,
      max_depth: 0,
      concurrency: 2,
      rate: 10,
      provider: 'mistral',
      model: 'mistral/mistral-large-latest',
      temperature: 0,
      max_tokens: 4096,
      max_tool_iterations: 200,
      enable_thinking: false,
      tools: ['memory', 'todo'],
      mcp_servers: ['serena', 'context7'],
      'runs-on': ['gpu', 'build-host'],
      risk: 'high',
    });
    expect(agent.notes).toBeUndefined();
  });

  it('have defaults', () => {
    expect(read('title: W')).toMatchObject({
      role: null,
      lifecycle: 'permanent',
      ttl: null,
      max_depth: null,
      concurrency: 1,
      rate: null,
      provider: null,
      temperature: null,
      max_tokens: null,
      max_tool_iterations: 50,
      enable_thinking: true,
      mcp_servers: [],
      'runs-on': [],
      risk: 'low',
    });
  });

  it('leave a model alone that names its provider, and that of a program', () => {
    expect(read('runner: model\nprovider: mistral\nmodel: mistral/small').model).toBe('mistral/small');
    expect(read('runner: claude\nprovider: anthropic\nmodel: opus').model).toBe('opus');
  });

  it.each([
    ['role: boss', '"council.role" must be one of orchestrator, leader, worker, but is the text "boss"'],
    ['role: [worker]', '"council.role" must be a text'],
    [
      'lifecycle: forever',
      '"council.lifecycle" must be one of permanent, temporary, but is the text "forever"',
    ],
    ['ttl: 1h', '"council.ttl" must be left out, or stand beside lifecycle: temporary'],
    ['lifecycle: temporary\nttl: soon', 'Not a valid value of "council.ttl": "soon"'],
    ['max_depth: 6', '"council.max_depth" must be a whole number from 0 to 5, but is the number 6'],
    ['max_depth: -1', '"council.max_depth" must be a whole number from 0 to 5'],
    ['max_depth: 1.5', '"council.max_depth" must be a whole number from 0 to 5'],
    ['concurrency: 0', '"council.concurrency" must be a whole number from 1 on, but is the number 0'],
    ['rate: "10"', '"council.rate" must be a whole number from 1 on, but is the text "10"'],
    ['provider: acme', '"council.provider" must be one of anthropic, google, mistral, openai, ollama'],
    ['temperature: 2.1', '"council.temperature" must be a number from 0 to 2, but is the number 2.1'],
    ['temperature: .nan', '"council.temperature" must be a number from 0 to 2'],
    ['max_tokens: 255', '"council.max_tokens" must be a whole number from 256 to 128000'],
    ['max_tokens: 128001', '"council.max_tokens" must be a whole number from 256 to 128000'],
    ['max_tool_iterations: 0', '"council.max_tool_iterations" must be a whole number from 1 to 200'],
    [
      'enable_thinking: sometimes',
      '"council.enable_thinking" must be true or false, but is the text "sometimes"',
    ],
    ['mcp_servers: 3', '"council.mcp_servers" must be a comma-separated text, a list of texts'],
    ['runs-on: [GPU]', '"council.runs-on" must be a list of labels (1 to 64 lower-case letters'],
    ['runs-on: { gpu: 1 }', '"council.runs-on" must be'],
    ['risk: extreme', '"council.risk" must be one of low, medium, high, but is the text "extreme"'],
  ])('refuse %s', (yaml, expected) => {
    expect(message(yaml)).toContain(expected);
  });
});
