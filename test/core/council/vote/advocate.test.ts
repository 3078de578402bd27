import { describe, expect, it } from 'vitest';
import { selectAdvocate, findSuspiciousAgreement } from '../../../../src/core/council/machine/next-phase.ts';
import type { Vote } from '../../../../src/core/council/vote/votes.ts';

const blind = (positions: (string | null)[], over: Partial<Vote> = {}): Vote[] =>
  positions.map((position, i) => ({
    by: `p${i}`,
    position,
    kind: 'spoken',
    agreed: false,
    blocking: false,
    ...over,
  }));

describe('findSuspiciousAgreement', () => {
  it('takes three or more who all state the same, and gives the position', () => {
    expect(findSuspiciousAgreement(blind(['Build', 'build.', 'BUILD']), null)).toBe('Build');
    expect(findSuspiciousAgreement(blind(['BUILD', 'build.', 'build']), ['buy', 'build'])).toBe('build');
    const silent: Vote = { ...blind([null])[0]!, by: 'zed', kind: 'absent' };
    expect(findSuspiciousAgreement([...blind(['x', 'x', 'x']), silent], null)).toBe('x');
  });

  it('finds nothing suspicious in two, in a difference, in silence about it, or in a block', () => {
    expect(findSuspiciousAgreement(blind(['x', 'x']), null)).toBeNull();
    expect(findSuspiciousAgreement(blind(['x', 'x', 'y']), null)).toBeNull();
    expect(findSuspiciousAgreement(blind(['x', 'x', 'x', null]), null)).toBeNull();
    expect(findSuspiciousAgreement(blind([null, null, null]), null)).toBeNull();
    expect(findSuspiciousAgreement(blind([' ', ' ', ' ']), null)).toBeNull();
    expect(
      findSuspiciousAgreement([...blind(['x', 'x']), { ...blind(['x'])[0]!, by: 'c', blocking: true }], null),
    ).toBeNull();
    expect(findSuspiciousAgreement(blind(['x', 'x', 'x'], { kind: 'recused' }), null)).toBeNull();
    expect(findSuspiciousAgreement([], null)).toBeNull();
  });
});

describe('advocateFor', () => {
  const draw = (seed: string, order = ['a', 'b', 'c']) =>
    selectAdvocate({ conversationId: 'c-1', order, seed });

  it('draws the same one again from the recorded seed, whatever the order', () => {
    expect(draw('s')).toBe(draw('s', ['c', 'a', 'b']));
    expect(draw('s', [])).toBeNull();
    expect(draw('s', ['only'])).toBe('only');
  });

  it('spares nobody and prefers nobody', () => {
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (let i = 0; i < 3000; i++) counts[draw(`seed ${i}`)!]!++;
    for (const count of Object.values(counts)) expect(Math.abs(count - 1000)).toBeLessThan(120);
    const councils = new Set(
      Array.from({ length: 50 }, (_, i) =>
        selectAdvocate({ conversationId: `c-${i}`, order: ['a', 'b', 'c'], seed: 's' }),
      ),
    );
    expect(councils.size).toBe(3);
  });
});
