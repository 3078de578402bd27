import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CORRELATION,
  countEffectiveVotes,
  findModelFamily,
  findSharedFamily,
} from '../../../../src/core/council/vote/independence.ts';

const of = (...families: (string | null)[]) => countEffectiveVotes(families).votes;

describe('countEffectiveVotes', () => {
  it('reproduces the published figure for nine models of different families', () => {
    expect(of('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')).toBeCloseTo(2.18, 2);
  });

  it('gives a panel of one family less than two votes, however many sit on it', () => {
    expect([1, 2, 3, 9].map((n) => of(...Array.from({ length: n }, () => 'claude')))).toEqual([
      1,
      4 / 3,
      1.5,
      1.8,
    ]);
    expect(of(...Array.from({ length: 500 }, () => 'claude'))).toBeLessThan(2);
    expect(of('claude', 'gpt', 'gemini')).toBeGreaterThan(of('claude', 'claude', 'gpt'));
    expect(of('claude', 'claude', 'gpt')).toBeGreaterThan(of('claude', 'claude', 'claude'));
  });

  it('counts who has no known family as independent, and says how many', () => {
    expect(countEffectiveVotes([null, null, 'gpt'])).toEqual({ votes: 3, unknown: 2 });
    expect(countEffectiveVotes([])).toEqual({ votes: 0, unknown: 0 });
  });

  it('lies between one and the number of voters, and does not depend on their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 1, maxLength: 12 }),
        (families) => {
          const votes = of(...families);
          expect(votes).toBeGreaterThanOrEqual(1 - 1e-9);
          expect(votes).toBeLessThanOrEqual(families.length + 1e-9);
          expect(of(...families.toReversed())).toBeCloseTo(votes, 9);
        },
      ),
    );
    expect(CORRELATION.within).toBeGreaterThan(CORRELATION.across);
  });
});

describe('findSharedFamily', () => {
  it('is the family of all, when all are known and more than one', () => {
    expect(findSharedFamily(['gpt', 'gpt'])).toBe('gpt');
    for (const families of [[], ['gpt'], ['gpt', 'claude'], ['gpt', null], [null, null]])
      expect(findSharedFamily(families)).toBeNull();
  });
});

describe('findModelFamily', () => {
  it('knows the vendors by their models', () => {
    const models: Record<string, string[]> = {
      claude: [
        'claude-sonnet-4-5',
        'anthropic/claude-3.5-haiku',
        'us.anthropic.claude-opus-4:0',
        'sonnet',
        'Opus',
      ],
      gpt: ['gpt-4o', 'GPT5', 'openai/gpt-oss-120b', 'chatgpt-4o-latest', 'o3-mini', 'o1', 'gpt-5-codex'],
      gemini: ['gemini-2.5-pro', 'google/gemma-3-27b'],
      mistral: ['mistral-large-latest', 'open-mixtral-8x22b', 'codestral', 'ministral-3-8b'],
      qwen: ['qwen2.5:7b', 'Qwen/Qwen3-32B', 'qwq-32b'],
      llama: ['openai-compatible/llama3.2', 'llama3.2', 'meta-llama/Llama-3.1-8B', 'codellama'],
      deepseek: ['deepseek-chat', 'deepseek-r1-distill-llama-70b'],
      grok: ['xai/grok-4'],
      command: ['command-r-plus', 'cohere/command-a'],
      phi: ['phi-4', 'phi3'],
      nova: ['amazon.nova-pro-v1'],
      kimi: ['kimi-k2'],
      glm: ['glm-4.6', 'zhipu/chatglm'],
      granite: ['granite-3'],
      minimax: ['minimax-m2'],
    };
    for (const [family, names] of Object.entries(models))
      for (const name of names) expect([name, findModelFamily(name)]).toEqual([name, family]);
  });

  it('says so when it does not know', () => {
    for (const name of [
      '',
      'inherit',
      'openai-compatible/local',
      'henry',
      'nova',
      'o5',
      'ollama',
      'egpt',
      'solo1',
      'my-model',
      'claudette',
    ])
      expect([name, findModelFamily(name)]).toEqual([name, null]);
    expect(findModelFamily(null)).toBeNull();
    expect(findModelFamily([])).toBeNull();
  });

  it('finds the model in a command, the option before the rest, and never in a folder', () => {
    expect(findModelFamily(['claude', '-p'])).toBe('claude');
    expect(findModelFamily(['codex', 'exec', '-'])).toBe('gpt');
    expect(findModelFamily(['ollama', 'run', 'llama3.2'])).toBe('llama');
    expect(findModelFamily(['/opt/bin/gemini', '--yolo'])).toBe('gemini');
    expect(findModelFamily(['claude-wrapper', '--model', 'gpt-4o'])).toBe('gpt');
    expect(findModelFamily(['llm', '-m', 'mistral-small'])).toBe('mistral');
    expect(findModelFamily(['opencode', 'run', '--model=openai/gpt-5'])).toBe('gpt');
    expect(findModelFamily(['node', '/home/claude/speak.mjs', 'henry'])).toBeNull();
    expect(findModelFamily(['C:\\Users\\claude\\speak.exe'])).toBeNull();
    expect(findModelFamily(['tool', '--model', 'unheard-of'])).toBeNull();
  });
});
