// What was shown once keeps its place and its words in every later prompt of that reader.
import { describe, expect, it } from 'vitest';
import { drawMarker } from '../../../../src/core/council/machine/unseal.ts';
import { createAnonymousLabels } from '../../../../src/core/council/naming/labels.ts';
import { PHASES } from '../../../../src/core/council/state/allowed-values.ts';
import type { PhaseName } from '../../../../src/core/council/state/allowed-values.ts';
import type { Contribution, Council, CouncilState } from '../../../../src/core/council/state/state.ts';
import { viewFor } from '../../../../src/core/council/view/view.ts';
import { playedTo } from '../../../helpers/debate-sample.ts';
import { councilOf, said, shippedMode } from '../../../helpers/view-sample.ts';

const IDS = ['henry', 'sage', 'nova'];
const promptOf = (council: Council, participant: string): string =>
  viewFor({ council, participant, persona: 'P', houseRules: 'H', mode: shippedMode('debate') }).prompt;

/** All above what changes. */
const above = (prompt: string): string => prompt.slice(0, prompt.indexOf('\n## Who you are\n'));

/** The council when `phase` opens, with what had been said until then. */
function openOf(phase: PhaseName, contributions: Contribution[], state: Partial<CouncilState> = {}): Council {
  const earlier = contributions.filter((one) => PHASES.indexOf(one.phase) < PHASES.indexOf(phase));
  const council = playedTo(
    phase,
    councilOf({ ids: IDS, anonymous: true, coordinator: 'maman', contributions: earlier }),
  );
  return { ...council, state: { ...council.state, ...state } };
}

const SPOKEN = PHASES.slice(0, -1).flatMap((phase) =>
  IDS.map((id) => said(id, phase, `#${id.length} in ${phase}`)),
);

function expectFrozen(contributions: Contribution[], reader: string, usage?: CouncilState['usage']): void {
  const seen = PHASES.map((phase) => promptOf(openOf(phase, contributions, usage && { usage }), reader));
  for (const [at, prompt] of seen.slice(1).entries()) expect(prompt.startsWith(above(seen[at]!))).toBe(true);
}

describe('what has been revealed', () => {
  it('stands round by round, the others and then the own text, and never moves', () => {
    for (const reader of [...IDS, 'maman']) expectFrozen(SPOKEN, reader);
    const prompt = promptOf(openOf('SYNTHESIZE', SPOKEN), 'sage');
    const heads = [...prompt.matchAll(/^### (.*), [A-Z]+ \(round (\d)\)$/gm)].map(
      ([, who, tour]) => `${tour} ${who}`,
    );
    expect(heads.filter((head) => head.endsWith(' You'))).toEqual(['1 You', '2 You', '3 You']);
    expect(heads.map((head) => head.split(' ')[0])).toEqual([...'111222333']);
    expect([2, 5, 8].map((at) => heads[at])).toEqual(['1 You', '2 You', '3 You']);
    expect(heads[3]!.slice(2)).toBe(heads[0]!.slice(2));
  });

  it('keeps its masks: what a reader writes later changes nothing above', () => {
    const telling = 'As Nova says, it is the lock that costs us most.';
    const contributions = SPOKEN.map((one) => {
      if (one.by === 'henry' && one.phase === 'COLLECT') return said('henry', 'COLLECT', telling);
      // Later the reader writes the name in the very same words.
      return one.by === 'sage' && one.phase === 'CHALLENGE' ? said('sage', 'CHALLENGE', telling) : one;
    });
    const label = createAnonymousLabels(openOf('COLLECT', []).state).get('nova')!;
    for (const phase of ['CHALLENGE', 'RESOLVE'] as const)
      expect(promptOf(openOf(phase, contributions), 'sage')).toContain(`As ${label} says`);
    for (const reader of IDS) expectFrozen(contributions, reader);
  });

  it('keeps its masks where a model is launched later', () => {
    const contributions = SPOKEN.map((one) =>
      one.phase === 'COLLECT' && one.by === 'nova'
        ? said(one.by, 'COLLECT', 'I am zebra-9b, and I would mend it.')
        : one,
    );
    const usage = { phase: 'RESOLVE', tour: 3, at: '2026-03-01T10:25:00.000Z', model: 'zebra-9b' } as const;
    const none = { inputTokens: 1, outputTokens: 1, costUsd: null, ms: 1, ok: true };
    const later = openOf('RESOLVE', contributions, { usage: [{ participant: 'nova', ...usage, ...none }] });
    expect(above(promptOf(later, 'sage'))).toBe(above(promptOf(openOf('RESOLVE', contributions), 'sage')));
    const then = { participant: 'nova', ...usage, ...none, at: '2026-03-01T10:10:00.000Z' };
    expect(promptOf(openOf('RESOLVE', contributions, { usage: [then] }), 'sage')).toContain('I am [model]');
  });

  it('puts a text that was missing behind all that had been shown', () => {
    const missing = SPOKEN.filter(({ by, phase }) => by !== 'nova' || phase !== 'COLLECT');
    const late = said('nova', 'COLLECT', 'found again');
    const before = openOf('RESOLVE', missing);
    const reveals = [...before.state.reveals!, { tour: 1, late: 'nova', marker: drawMarker('seed 1') }];
    const after = {
      ...before,
      contributions: [...before.contributions, late],
      state: { ...before.state, reveals },
    };
    for (const reader of IDS) {
      const prompt = promptOf(after, reader);
      expect(prompt.startsWith(above(promptOf(before, reader)))).toBe(true);
      expect(prompt).toContain('found again');
    }
  });

  it('gets its marker when it is revealed, and works without one in an older council', () => {
    const { reveals, ...older } = openOf('RESOLVE', SPOKEN).state;
    expect(reveals!.map(({ tour }) => tour)).toEqual([1, 2]);
    expect(new Set(reveals!.map(({ marker }) => marker)).size).toBe(2);
    const council = { ...openOf('RESOLVE', SPOKEN), state: older };
    const markers = [
      ...above(promptOf(council, 'sage')).matchAll(/^BEGIN (council-text-[0-9a-f]{16})$/gm),
    ].map(([, m]) => m);
    // Of the brief and of two rounds.
    expect(new Set(markers).size).toBe(3);
    expect(JSON.stringify(council.contributions)).not.toContain('council-text');
  });
});
