import { describe, expect, it } from 'vitest';
import { classifyRunnerFailure, selectFailureStrategy } from '../../../src/team/tasks/transitions.ts';
import type { RunnerFailure } from '../../../src/team/tasks/transitions.ts';

const failed = (failure: RunnerFailure['failure'], reason: string) =>
  classifyRunnerFailure({ failure, reason, retryAfterMs: null, limit: null });

describe('a launch that failed without a word of its worker', () => {
  it.each([
    ['a server that is away', failed('failed', 'connect ECONNREFUSED 127.0.0.1:11434'), 'E30', 'retry'],
    ['a busy provider', failed('rate-limit', 'rate limit (HTTP 429)'), 'E31', 'retry'],
    ['a missing login', failed('config', 'not logged in'), 'E30', 'another'],
    ['an answer that was cut off', failed('limit', 'stop reason max_tokens'), 'E99', 'fail'],
    [
      'a prompt too long, about networks',
      failed('limit', 'too long: 429 pages on the network'),
      'E99',
      'fail',
    ],
    ['a refusal', failed('refusal', 'no advice on network attacks'), 'E99', 'fail'],
    ['a crash', failed('failed', 'exit code 1: boom'), 'E99', 'fail'],
  ] as const)('is tried again only where that can help: %s', (_, failure, code, strategy) => {
    expect([failure.code, selectFailureStrategy(failure)]).toEqual([code, strategy]);
  });
});
