// How long a prompt is beside the material: the whole of it, without what stands between fences.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutFrontMatter } from '../../../../src/core/base/front-matter-block.ts';
import type { Language } from '../../../../src/core/base/words/words.ts';
import { mapClaimHandles } from '../../../../src/core/council/naming/labels.ts';
import { PHASES } from '../../../../src/core/council/state/choices.ts';
import type { PhaseName } from '../../../../src/core/council/state/choices.ts';
import { viewFor } from '../../../../src/core/council/view/view.ts';
import { playedTo } from '../../../helpers/debate-sample.ts';
import { councilOf, said, shippedMode } from '../../../helpers/view-sample.ts';

const IDS = ['henry', 'sage', 'nova', 'blaise'];
const BRIEF =
  'We send two hundred reports a night from a queue in one table. It locks for minutes when a worker dies. Should we move to a message broker, or mend the table? Two people, three weeks, no new budget.';

const BALLOT = ['mend the table', 'move to a broker', 'do both, one after the other'].map((position, at) => ({
  id: `P${at + 1}`,
  position,
  declared: false,
}));

const houseRules = (lang: Language): string => {
  const name = lang === 'fr' ? 'COUNCIL.fr.md' : 'COUNCIL.md';
  const text = readFileSync(join(import.meta.dirname, '../../../../templates', name), 'utf8');
  return cutFrontMatter(text)!.body;
};

/** What a model reads in a debate of four, with the house rules that `council init` writes. */
function promptIn(phase: PhaseName, lang: Language, modeName: string): string {
  const base = councilOf({ ids: IDS, coordinator: 'maman', anonymous: true, lang, brief: BRIEF });
  const handles = mapClaimHandles(base.state);
  const next = (id: string, by: number) => handles.get(IDS[(IDS.indexOf(id) + by) % IDS.length]!)!;
  const says = (by: string, at: PhaseName, words: string) => {
    const position = IDS.indexOf(by) % 2 === 0 ? 'move to a broker' : 'mend the table';
    return {
      ...said(by, at, `---\nposition: ${position}\nconfidence: 0.8\nblocking:\n---\n${words}`),
      position,
    };
  };
  const spoken = [
    ...IDS.map((id) =>
      says(
        id,
        'COLLECT',
        'The lock lasts four minutes.\n\nA broker costs two weeks.\n\nAn index is missing.\n',
      ),
    ),
    ...IDS.map((id) =>
      says(
        id,
        'CHALLENGE',
        `@${next(id, 1)}.1 It was two minutes.\n\n@${next(id, 2)}.2\n> A broker costs two weeks.\n\nThree, with the tests.\n`,
      ),
    ),
    ...IDS.map((id) => says(id, 'RESOLVE', 'c1 conceded: it was two.\n')),
  ].filter((one) => PHASES.indexOf(one.phase) < PHASES.indexOf(phase));
  const council = playedTo(phase, { ...base, contributions: spoken });
  if (phase !== 'COLLECT') council.state.ballot = BALLOT;
  for (const one of Object.values(council.state.participants)) one.runner = 'claude';
  const participant = phase === 'SYNTHESIZE' ? 'maman' : 'sage';
  const mode = shippedMode(modeName);
  return viewFor({ council, participant, persona: '', houseRules: houseRules(lang), mode }).prompt;
}

/** Words beside the material. */
function lengthOf(prompt: string): number {
  const own = prompt.replaceAll(/^BEGIN (council-text-[0-9a-f]{16})$[^]*?^END \1$/gm, '');
  return own.split(/\s+/).filter((word) => word !== '').length;
}

describe('the words of a prompt beside the material', () => {
  const LIMITS = { COLLECT: 450, CHALLENGE: 650, RESOLVE: 650 } as const;
  const cases = (['en', 'fr'] as const).flatMap((lang) =>
    ['debate', 'analysis', 'review', 'prd'].map((mode) => ({ lang, mode })),
  );

  it.each(cases)('are few: $mode, $lang', ({ lang, mode }) => {
    for (const [phase, limit] of Object.entries(LIMITS)) {
      const words = lengthOf(promptIn(phase as PhaseName, lang, mode));
      if (process.env.PRINT) console.log(lang, mode, phase, words);
      expect(words, phase).toBeLessThanOrEqual(limit);
    }
  });
});
