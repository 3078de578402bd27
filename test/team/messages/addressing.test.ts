import { describe, expect, it } from 'vitest';
import { isFor, isWellKnown, wakes } from '../../../src/team/messages/addressing.ts';

const from = 'claude-1';

describe('a message wakes an agent', () => {
  it.each([
    [{ to: 'codex-1', body: 'please' }, true],
    [{ to: 'codex-10', body: 'please' }, false],
    [{ to: 'all', body: 'Team update' }, false],
    [{ to: 'all', body: '@codex-1 @gemini-1 Please review' }, true],
    [{ to: 'all', body: 'see (@codex-1).' }, true],
    [{ to: 'all', body: 'é@codex-1' }, false],
    [{ to: 'all', body: 'me@codex-1.example' }, false],
    [{ to: 'all', body: '@codex-10 please' }, false],
    [{ to: 'all', body: '@codex-1-b please' }, false],
    [{ to: 'all', body: '@codex-1é' }, false],
    [{ to: 'all', body: '@CODEX-1 please' }, false],
    [{ to: 'all', body: '@codex-10 and @codex-1' }, true],
    [{ to: 'all', body: 'codex-1 Please review this code' }, true],
    [{ to: 'all', body: 'CODEX-1: please' }, true],
    [{ to: 'all', body: 'Codex-1' }, true],
    [{ to: 'all', body: 'codex-10 please' }, false],
    [{ to: 'all', body: 'Hello\ncodex-1 please' }, false],
    [{ to: 'all', body: ' codex-1 please' }, false],
    [{ to: 'all' }, false],
    [{ to: 'all', body: 'npm i @codex-1/core@2' }, false],
    [{ to: 'all', body: 'npm i @codex-1@2' }, false],
    [{ to: 'all', body: 'mail me@codex-1.org or x@y@codex-1' }, false],
    [{ to: 'all', body: 'https://example.org/@codex-1' }, false],
    [{ to: 'all', body: 'In the code `@codex-1` is a decorator' }, false],
    [{ to: 'all', body: 'Here ``a `@codex-1` b`` too' }, false],
    [{ to: 'all', body: 'See\n```ts\n@codex-1\nclass A {}\n```\n' }, false],
    [{ to: 'all', body: 'See\n~~~\n@codex-1 in a fence that does not end' }, false],
    [{ to: 'all', body: 'See\n\n    @codex-1\n    class A {}\n' }, false],
    [{ to: 'all', body: '> @codex-1 please deploy\n\nDone.' }, false],
    [{ to: 'all', body: 'ben said "@codex-1 please deploy", or « @codex-1 »' }, false],
    [{ to: 'all', body: String.raw`write \@codex-1 for that` }, false],
    [{ to: 'all', body: '> who?\n\n`x` @codex-1: you' }, true],
    [{ to: 'all', body: '```\ncode\n```\n@codex-1, look' }, true],
    [{ to: 'all', body: 'Ask @codex-1.' }, true],
  ])('%j: %s', (message, expected) => {
    expect(wakes('codex-1', { from, ...message })).toBe(expected);
  });

  it.each([
    ['docs are missing', false],
    ['docs', false],
    ['docs, please look', true],
    ['Docs: please look', true],
    ['@docs please look', true],
  ])('with a name that is an ordinary word, by %j: %s', (body, expected) => {
    expect(wakes('docs', { from, to: 'all', body })).toBe(expected);
  });

  it('but never by its own', () => {
    expect(wakes('codex-1', { from: 'codex-1', to: 'codex-1', body: '@codex-1' })).toBe(false);
  });

  it('is in the inbox as well when it is for everybody, but the sender', () => {
    expect(isFor('codex-1', { from, to: 'all', body: 'Team update' })).toBe(true);
    expect(isFor('codex-1', { from, to: 'gemini-1', body: 'you' })).toBe(false);
    expect(isFor(from, { from, to: 'all', body: 'Team update' })).toBe(false);
  });
});

it.each(['codex-1', 'ha-mgr-12', 'all', 'human', 'supervisor'])('knows %s without a file', (name) => {
  expect(isWellKnown(name)).toBe(true);
});

it.each(['codex', 'codex-', 'codex-1x', 'everybody', 'hi'])('does not know %s', (name) => {
  expect(isWellKnown(name)).toBe(false);
});
