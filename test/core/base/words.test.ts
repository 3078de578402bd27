import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { CLASSES } from '../../../src/core/agents/runners/failure-classes.ts';
import type { FailureSubject } from '../../../src/core/agents/runners/failure-classes.ts';
import { translateReason } from '../../../src/core/base/words/reasons.ts';
import { fill, formatMoney, formatNames, loadWords } from '../../../src/core/base/words/words.ts';
import { describeAbsenceReason } from '../../../src/core/council/document/state-page.ts';
import type { Language } from '../../../src/core/base/words/words.ts';
import { loadEvalWords } from '../../../src/eval/words.ts';
import { loadReviewWords } from '../../../src/review/words.ts';
import { loadPageWords } from '../../../src/server/page/words.ts';
import { loadReportWords } from '../../../src/team/tasks/words.ts';

const LANGUAGES: Language[] = ['en', 'fr'];

function placeholders(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();
}

/** Every text of a language with its section and key, of the core and of every room. */
const textsOf = (lang: Language): [place: string, text: string][] =>
  Object.entries({
    ...loadPageWords(lang),
    ...loadReviewWords(lang),
    ...loadEvalWords(lang),
    ...loadReportWords(lang),
  }).flatMap(([section, texts]) =>
    Object.entries(texts).map(([key, text]): [string, string] => [`${section}.${key}`, text]),
  );

describe('the words', () => {
  it.each(LANGUAGES)('of %s are complete: exactly the known keys, all of them text', (lang) => {
    expect(textsOf(lang).map(([place]) => place)).toEqual(textsOf('en').map(([place]) => place));
    for (const [place, text] of textsOf(lang)) {
      expect(typeof text, place).toBe('string');
      expect(text.trim(), place).not.toBe('');
    }
  });

  it('have the same placeholders in both languages', () => {
    const french = new Map(textsOf('fr'));
    for (const [place, text] of textsOf('en'))
      expect(placeholders(french.get(place)!), place).toEqual(placeholders(text));
  });

  it('give the English state file the headings that are fixed', () => {
    const { state } = loadWords('en');
    expect(fill(state.title, { topic: 'Tabs' })).toBe('Active conversation: Tabs');
    expect(fill(state.responses, { phase: 'COLLECT', tour: 1 })).toBe('Responses: COLLECT (round 1)');
    expect([state.metadata, state.brief, state.participants, state.convergence, state.nextPhase]).toEqual([
      'Metadata',
      'Brief (immutable)',
      'Participants',
      'Convergence',
      'Next phase',
    ]);
  });

  it('really are two languages', () => {
    const french = new Map(textsOf('fr'));
    const asked = textsOf('en').filter(([place]) => /^view\.(?!contribution$)/.test(place));
    for (const [place, text] of asked) expect(french.get(place), place).not.toBe(text);
  });
});

describe('a recorded reason', () => {
  const fr = loadWords('fr');
  const say = (reason: string): string => translateReason(reason, fr);

  it('stands in the language of the council, without what a program said', () => {
    expect(say('exit code 3: boom; no answer')).toBe('code de sortie 3 : boom; no answer');
    expect(say('not logged in; log in with: claude auth login. It said: Please log in')).toBe(
      'n’est pas connecté ; connectez-vous avec : claude auth login. Il a dit : Please log in',
    );
    expect(say('the front matter cannot be read: bad indentation.')).toBe(
      'l’en-tête de son fichier ne peut pas être lu : bad indentation.',
    );
    expect(say('what a program said: no answer')).toBe('what a program said: no answer');
    expect(translateReason('exit code 3: boom', loadWords('en'))).toBe('exit code 3: boom');
    expect(describeAbsenceReason('failed: exit code 3', fr)).toBe('n’a pas répondu : code de sortie 3');
    expect(describeAbsenceReason("budget: the council's budget of 100 tokens is spent", fr)).toBe(
      'pas lancé : le budget du conseil (100 jetons) est épuisé',
    );
    expect(describeAbsenceReason("budget: ada's budget of $0.50 is spent", fr, String)).toBe(
      'pas lancé : le budget de ada (0,50 $US) est épuisé',
    );
  });

  it('is known for each failure of an agent, with what mends it', () => {
    const agents: Partial<FailureSubject['agent']>[] = [
      { runner: 'claude', command: [] },
      { runner: 'command', command: ['./w'] },
      { runner: 'model', command: [], model: 'mistral/m' },
      { runner: 'ollama', command: [] },
    ];
    for (const [name, { mend }] of Object.entries(CLASSES))
      for (const agent of agents)
        for (const ways of [undefined, { install: 'i', login: 'l', models: 'm' }]) {
          const about = {
            agent: { id: 'ada', apiKey: null, model: null, ...agent } as FailureSubject['agent'],
            ways,
          };
          for (const text of [loadWords('en').reasons[name as keyof typeof CLASSES], mend(about)].filter(
            (one) => one !== '',
          ))
            expect(say(text), `${name}: ${text}`).not.toBe(text);
        }
  });
});

describe('fill', () => {
  it('puts values in literally and never expands them again', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: '$& $1 {a}' })).toBe('{b} and $& $1 {a}');
  });

  it('leaves placeholders without a value, also those that every object has', () => {
    expect(fill('{a} {toString} {__proto__}', { a: 1 })).toBe('1 {toString} {__proto__}');
  });

  it('keeps any value intact', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => fill('<{a}|{b}|{a}>', { a, b }) === `<${a}|${b}|${a}>`),
    );
  });
});

it('tells a dozen of very many names, and how many more there are', () => {
  const names = Array.from({ length: 334 }, (_, at) => `a${at}`);
  expect(formatNames(names, loadWords('en'))).toBe(
    'a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 and 322 more',
  );
  expect(formatNames(names.slice(0, 13), loadWords('en'))).toMatch(/a11, a12$/);
});

describe('a sum of money', () => {
  it.each([
    [0.1, '$0.10', '0,10 $US'],
    [0.12345, '$0.1235', '0,1235 $US'],
    [0.000042, '$0.000042', '0,000042 $US'],
    [0.5, '$0.50', '0,50 $US'],
    [12, '$12.00', '12,00 $US'],
    [1234.5, '$1234.50', '1234,50 $US'],
    [0, '$0.00', '0,00 $US'],
  ])('%s is told as people write it', (usd, english, french) => {
    expect(formatMoney(usd, loadWords('en').common)).toBe(english);
    expect(formatMoney(usd, loadWords('fr').common)).toBe(french);
  });
});
