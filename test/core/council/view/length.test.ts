// How many tokens of a prompt are council's own words: all but the brief, files, contributions and the ballot.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { cutFrontMatter } from '../../../../src/core/base/front-matter-block.ts';
import type { Language } from '../../../../src/core/base/words/words.ts';
import { mapClaimPrefixes } from '../../../../src/core/council/naming/labels.ts';
import { PHASES } from '../../../../src/core/council/state/allowed-values.ts';
import type { PhaseName } from '../../../../src/core/council/state/allowed-values.ts';
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
function promptIn(
  phase: PhaseName,
  { lang, modeName, runner }: { lang: Language; modeName: string; runner: 'claude' | 'command' },
): string {
  const mode = shippedMode(modeName);
  const { rule } = mode;
  const base = councilOf({
    ...{ ids: IDS, coordinator: 'maman', anonymous: true, lang, brief: BRIEF },
    rules: { rule },
  });
  const handles = mapClaimPrefixes(base.state);
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
  for (const one of Object.values(council.state.participants)) one.runner = runner;
  const participant = phase === 'SYNTHESIZE' ? 'maman' : 'sage';
  return viewFor({ council, participant, persona: '', houseRules: houseRules(lang), mode }).prompt;
}

/**
 * Tokens of what council itself says: without what stands between fences, the headings of what others said, the house rules
 * and the topic.
 */
function countTokens(prompt: string, lang: Language): number {
  const own = prompt
    .replaceAll(/^BEGIN (council-text-[0-9a-f]{16})$[^]*?^END \1$/gm, '')
    .replace(`${houseRules(lang).trim()}\n`, '')
    .replaceAll(/^#+ (?:(?:Council|Conseil ?): .*|.*\((?:round|tour) \d\)|c\d+, .*)$/gm, '')
    .replaceAll(/^(?:Claims:|Affirmations :|The challenge:|L’objection :)$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n');
  return encode(own.trim()).length;
}

describe('what council itself says in a prompt', () => {
  // French needs more tokens for the same words.
  const LIMITS = {
    en: { COLLECT: 450, CHALLENGE: 550, RESOLVE: 550 },
    fr: { COLLECT: 530, CHALLENGE: 660, RESOLVE: 645 },
  } as const;
  const cases = (['en', 'fr'] as const).flatMap((lang) =>
    ['debate', 'analysis', 'review', 'prd', 'check'].flatMap((mode) =>
      (['claude', 'command'] as const).map((runner) => ({ lang, mode, runner })),
    ),
  );

  it.each(cases)('is short: $mode, $lang, $runner', ({ lang, mode, runner }) => {
    for (const [phase, limit] of Object.entries(LIMITS[lang])) {
      const tokens = countTokens(promptIn(phase as PhaseName, { lang, modeName: mode, runner }), lang);
      if (process.env.PRINT) console.log(lang, mode, runner, phase, tokens);
      expect(tokens, phase).toBeLessThanOrEqual(limit);
    }
  });

  it('is shortest in a debate', () => {
    const prompt = (phase: PhaseName) =>
      promptIn(phase, { lang: 'fr', modeName: 'debate', runner: 'command' });
    expect(countTokens(prompt('COLLECT'), 'fr')).toBeLessThanOrEqual(450);
    expect(countTokens(prompt('CHALLENGE'), 'fr')).toBeLessThanOrEqual(620);
  });
});
