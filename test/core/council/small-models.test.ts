import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PhaseName } from '../../../src/core/council/state/allowed-values.ts';
import type { Council } from '../../../src/core/council/state/state.ts';
import { readText } from '../../../src/core/council/use/respond.ts';
import { holds } from '../../helpers/said-in.ts';
import { rulesOf, stateOf } from './fixtures.ts';

/** What a model answered, word for word, and what a person who reads it with care finds there. */
interface Answer {
  id: string;
  model: string;
  phase: PhaseName;
  /** True where it answers the one more question. */
  again?: true;
  /** The declared options. */
  options?: string[];
  /** The positions by number, once COLLECT has closed. */
  ballot?: string[];
  text: string;
  position: string | null;
  vote: string | null;
  /** How many things it says that block. */
  blocking: number;
}

const file = join(import.meta.dirname, '../../fixtures/answers/small-models.json');
const { answers } = JSON.parse(readFileSync(file, 'utf8')) as { answers: Answer[] };

function councilOf({ phase, options, ballot = [] }: Answer): Council {
  const lines = ballot.map((position, at) => ({
    id: `P${at + 1}`,
    position,
    declared: options?.includes(position) ?? false,
  }));
  const rules = rulesOf({ options: options ?? null });
  return {
    state: stateOf({ rules, ballot: lines, currentPhase: phase, tour: phase === 'COLLECT' ? 1 : 2 }),
    brief: 'A topic',
    contributions: [],
  };
}

const read = (answer: Answer) =>
  readText(councilOf(answer), { by: 'a', phase: answer.phase, tour: 2, text: answer.text });

describe('answers of SmolLM2 135M and Gemma 3 270M', () => {
  it.each(answers)('$id of $model in $phase: $vote $position', async (answer) => {
    const { position, vote, blocking, missing } = await read(answer);
    expect({ position, vote, blocking: blocking.length }).toEqual({
      position: answer.position,
      vote: answer.vote,
      blocking: answer.blocking,
    });
    if (position !== null) expect(holds(answer.text, { position, vote })).toBe(true);
    // What was not read is asked for, but in CHALLENGE, where nobody has to vote.
    const needed = { COLLECT: 'position', CHALLENGE: null, RESOLVE: 'vote', SYNTHESIZE: null }[answer.phase];
    if (position === null && needed !== null) expect(missing).toContain(needed);
  });

  it('are seldom filled in, and mostly asked for once more', async () => {
    const all = await Promise.all(answers.map(read));
    expect({
      all: all.length,
      read: all.filter(({ position }) => position !== null).length,
      asked: all.filter(({ missing }) => missing.includes('position') || missing.includes('vote')).length,
      blocking: all.filter(({ blocking }) => blocking.length > 0).length,
    }).toEqual({ all: 94, read: 0, asked: 78, blocking: 1 });
  });
});
