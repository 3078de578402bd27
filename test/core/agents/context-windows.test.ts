import { describe, expect, it } from 'vitest';
import { findContextWindow } from '../../../src/core/agents/prices.ts';

describe('the context window of an agent', () => {
  it.each([
    ['model', 'openai/gpt-4o-mini', 128_000],
    ['model', 'anthropic/claude-sonnet-4-5', 200_000],
    ['model', 'anthropic/claude-sonnet-5', 1_000_000],
    ['claude', 'sonnet[1m]', 1_000_000],
    ['claude', null, 200_000],
    ['gemini', 'gemini-3.8-flash', 1_048_576],
    ['ollama', 'llama3.2', 4096],
    ['opencode', 'ollama/qwen3', 4096],
    ['opencode', null, undefined],
    ['model', 'acme/unheard-of', undefined],
  ] as const)('of %s with %s is %s', (runner, model, window) => {
    expect(findContextWindow({ runner, model })).toBe(window);
  });
});
