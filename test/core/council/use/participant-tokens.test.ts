import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CouncilError } from '../../../../src/core/base/errors.ts';
import { checkState } from '../../../../src/core/council/state/check-state.ts';
import {
  admitParticipant,
  findTokenHolder,
  issueTokens,
  requireToken,
  hashToken,
} from '../../../../src/core/council/use/participant-tokens.ts';
import type { CouncilState } from '../../../../src/core/council/state/state.ts';
import { getSeat } from '../../../../src/core/council/state/state.ts';
import { systemRandom } from '../../../../src/core/store/local/system.ts';
import { withCoordinator } from '../fixtures.ts';

const issued = (state: CouncilState = withCoordinator()) => {
  const { state: guarded, tokens } = issueTokens(state, systemRandom);
  return { state: guarded, tokens: new Map(tokens) };
};
const codeOf = (act: () => void): string => {
  try {
    act();
    return 'let in';
  } catch (error) {
    return (error as CouncilError).code;
  }
};

describe('the tokens of a council', () => {
  it('are one for every seat, long, and nowhere in the state', () => {
    const { state, tokens } = issued();
    expect([...tokens.keys()].sort()).toEqual([...state.order, state.coordinator].sort());
    expect(new Set(tokens.values()).size).toBe(tokens.size);
    const written = JSON.stringify(state);
    for (const token of tokens.values()) {
      expect(token).toMatch(/^council_[\w-]{43}$/);
      expect(written).not.toContain(token);
      expect(written).not.toContain(token.slice('council_'.length));
    }
    expect(() => checkState(state, 'here')).not.toThrow();
  });

  it('open their own seat and no other', () => {
    const { state, tokens } = issued();
    for (const [holder, token] of tokens) {
      expect(findTokenHolder(state, token)).toBe(holder);
      for (const id of tokens.keys())
        expect(codeOf(() => requireToken(state, id, token))).toBe(id === holder ? 'let in' : 'forbidden');
    }
    const [first] = state.order;
    const token = tokens.get(first!)!;
    for (const wrong of [undefined, '', 'x', `${token}x`, token.slice(0, -1), token.toUpperCase()])
      expect(codeOf(() => requireToken(state, first!, wrong))).toBe('forbidden');
    expect(findTokenHolder(state, 'nobody')).toBeUndefined();
    expect(codeOf(() => requireToken(state, 'stranger', token))).toBe('unknown_agent');
  });

  it('are not asked for in an open council, nor of a launch', () => {
    const open = withCoordinator();
    expect(codeOf(() => requireToken(open, open.order[0]!, undefined))).toBe('let in');
    const { state } = issued();
    const participant = state.order[0]!;
    expect(codeOf(() => admitParticipant(state, { participant, leaseId: 'l' }))).toBe('let in');
    expect(codeOf(() => admitParticipant(state, { participant }))).toBe('forbidden');
    expect(codeOf(() => admitParticipant(state, { participant: 'stranger', leaseId: 'l' }))).toBe(
      'unknown_agent',
    );
  });

  it('do not pass from one council to another', () => {
    const { state, tokens } = issued();
    const other = { ...state, conversationId: systemRandom.uuid() };
    for (const [id, token] of tokens) {
      expect(codeOf(() => requireToken(other, id, token))).toBe('forbidden');
      expect(findTokenHolder(other, token)).toBeUndefined();
    }
  });

  it('are refused at a seat that has no hash', () => {
    const { state, tokens } = issued();
    const [id] = state.order;
    const { tokenSha256: _, ...bare } = getSeat(state, id!);
    const edited = { ...state, participants: { ...state.participants, [id!]: bare } };
    expect(codeOf(() => requireToken(edited, id!, tokens.get(id!)))).toBe('forbidden');
  });

  it('are hashed so that no two of (council, participant, token) share an input', () => {
    const text = fc.string({ maxLength: 8 });
    const triple = fc.tuple(text, text, text);
    fc.assert(
      fc.property(triple, triple, (one, other) => {
        const isSame = one.every((part, at) => part === other[at]);
        expect(hashToken(...one) === hashToken(...other)).toBe(isSame);
      }),
    );
    // A part that looks like the border between two others does not move it.
    expect(hashToken('a', 'b1:c', 'd')).not.toBe(hashToken('a', 'b', 'c1:d'));
    const plain = '13:council-token1:a1:b1:c';
    expect(hashToken('a', 'b', 'c')).toBe(createHash('sha256').update(plain).digest('hex'));
  });
});
