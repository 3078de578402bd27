// Names of models and their makers, where the author of a text may be one.
import { describe, expect, it } from 'vitest';
import { getMask } from '../../../../src/core/council/naming/mask.ts';
import { viewFor } from '../../../../src/core/council/view/view.ts';
import { playedTo } from '../../../helpers/debate-sample.ts';
import { councilOf, said, shippedMode } from '../../../helpers/view-sample.ts';

const council = councilOf({ ids: ['henry', 'nova'], anonymous: true });
const mask = getMask(council);

describe('the name of a model', () => {
  it.each([
    ['I am ChatGPT (GPT-5, OpenAI) and I would split it.', 'I am M (M, M) and I would split it.'],
    ['As Claude, I would wait.', 'As M, I would wait.'],
    ['I’m Claude Opus 4.5, made by Anthropic.', 'I’m M, made by M.'],
    ['As an AI model developed by Google, I cannot say.', 'As an AI model developed by M, I cannot say.'],
    ['Speaking as GPT-5-mini: no.', 'Speaking as M: no.'],
    ['Je suis Claude, un modèle d’Anthropic.', 'Je suis M, un modèle d’M.'],
    ['Ich bin ein Modell von Mistral.', 'Ich bin ein Modell von M.'],
    ['Soy Gemini 2.5 Pro y digo que no.', 'Soy M y digo que no.'],
    ['私はGeminiです。', '私はMです。'],
    ['我是 Qwen。', '我是 M。'],
    ['No.\n\n— Claude Sonnet 4.5', 'No.\n\n— M'],
    [
      'No.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\n\nCo-Authored-By: Claude <noreply@anthropic.com>',
      'No.\n\n🤖 Generated with [M](https://M.com/M)\n\nCo-Authored-By: M <noreply@M.com>',
    ],
  ])('is hidden where its author says what it is, or signs: %j', (text, expected) => {
    const { text: shown, left } = mask(text);
    expect([shown, left]).toEqual([
      expected.replaceAll('M', '[model]').replaceAll('[model]odell', 'Modell'),
      [],
    ]);
  });

  it.each([
    ['I would use the OpenAI API.', 1],
    ['I am sure that OpenAI will raise prices.', 1],
    ['We pay Mistral by the month.', 1],
    ['OpenAI raised its prices. Claude is cheap.', 0],
    ['position: Use Gemini', 0],
  ])('stays where the text speaks of it, and is told where that may be its author: %j', (text, told) => {
    const { text: shown, left } = mask(text);
    expect([shown, left.length]).toEqual([text, told]);
  });

  it('is known from what the launches used, too', () => {
    const usage = [{ model: 'tiny-owl' }] as NonNullable<typeof council.state.usage>;
    const known = getMask({ ...council, state: { ...council.state, usage } });
    expect(known('I am tiny-owl.').text).toBe('I am [model].');
    expect(mask('I am tiny-owl.').text).toBe('I am tiny-owl.');
  });

  it('is read by nobody else, and not hidden from its author', () => {
    const text = 'I am ChatGPT, and I would split it. I would pay OpenAI.';
    const now = playedTo(
      'CHALLENGE',
      councilOf({
        ids: ['henry', 'nova'],
        anonymous: true,
        contributions: [said('nova', 'COLLECT', text), said('henry', 'COLLECT', 'No.')],
      }),
    );
    const viewOf = (reader: string) =>
      viewFor({
        council: now,
        participant: reader,
        persona: '',
        houseRules: '',
        mode: shippedMode('debate'),
      });
    const view = viewOf('henry');
    expect(view.contributions.map((one) => one.text)).toEqual([
      'I am [model], and I would split it. I would pay OpenAI.',
    ]);
    expect(view.notes).toContainEqual({ where: view.contributions[0]!.label, what: 'model', count: 1 });
    expect(viewOf('nova').own.map((one) => one.text)).toEqual([text]);
    expect(viewOf('nova').notes).toEqual([]);
  });
});
