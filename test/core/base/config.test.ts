import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from 'vitest';
import { readConfig, SETTINGS } from '../../../src/core/base/config.ts';
import type { Config, ConfigSources } from '../../../src/core/base/config.ts';
import type { CouncilError } from '../../../src/core/base/errors.ts';

const read = (sources: Partial<ConfigSources>) =>
  readConfig({ text: undefined, path: 'COUNCIL.md', env: {}, flags: {}, ...sources });
const file = (head: string, body = '') => `---\n${head}\n---\n${body}`;

async function failure(sources: Partial<ConfigSources>): Promise<CouncilError> {
  return read(sources).then(
    () => {
      throw new Error('nothing was refused');
    },
    (error: CouncilError) => error,
  );
}

const DEFAULTS = {
  ...Object.fromEntries(Object.entries(SETTINGS).map(([key, { fallback }]) => [key, fallback])),
  houseRules: '',
  warnings: [],
} as unknown as Config;

describe('readConfig', () => {
  it('has defaults for everything, without a file and with an empty one', async () => {
    expect(await read({})).toEqual(DEFAULTS);
    expect(await read({})).toMatchObject({
      lang: 'en',
      mode: 'debate',
      concurrency: 4,
      approveAt: 'anywhere',
    });
    expect(await read({ text: '' })).toEqual(DEFAULTS);
    expect(await read({ text: file('mode:\nagents: ~') })).toEqual(DEFAULTS);
  });

  it('reads every setting of COUNCIL.md, and the body as house rules', async () => {
    const head = [
      'lang: fr',
      'mode: review',
      'coordinator: maman',
      'agents: [henry, sage, henry]',
      'timeout: 1h30m',
      'concurrency: 2',
      'launchTimeout: 90',
      'repair: 2',
      'budgetUsd: 2.5',
      'budgetTokens: 500000',
      'askAboveUsd: 2',
      'prices: { my-model: { input: 3, output: 0.5 } }',
      'approvalTimeout: 30m',
      'approveAt: terminal',
      'taskBudget: 20000',
      'taskDepth: 5',
      'taskParts: 0',
      'providerRates: { mistral: 30 }',
      'toolRisks: { "*delete*": high, todo: low }',
      'notify: [node, notify.mjs, "--loud"]',
      'groups: { G1: [codex-1, claude-1], Reviewers: "ada, ada" }',
    ].join('\n');
    expect(await read({ text: file(head, '\n# Rules\n\nBe brief.\n\n') })).toMatchObject({
      lang: 'fr',
      mode: 'review',
      coordinator: 'maman',
      agents: ['henry', 'sage'],
      timeout: 5_400_000,
      concurrency: 2,
      launchTimeout: 90_000,
      repair: 2,
      budgetUsd: 2.5,
      budgetTokens: 500_000,
      askAboveUsd: 2,
      prices: { 'my-model': { input: 3, output: 0.5 } },
      approvalTimeout: 1_800_000,
      approveAt: 'terminal',
      taskBudget: 20_000,
      taskDepth: 5,
      taskParts: 0,
      providerRates: { mistral: 30 },
      toolRisks: { '*delete*': 'high', todo: 'low' },
      notify: ['node', 'notify.mjs', '--loud'],
      groups: { G1: ['codex-1', 'claude-1'], Reviewers: ['ada'] },
      houseRules: '# Rules\n\nBe brief.',
      warnings: [],
    });
  });

  it('takes a file without front matter as house rules', async () => {
    expect((await read({ text: '\uFEFF# Rules\n\n---\nmode: prd\n---\n' })).houseRules).toBe(
      '# Rules\n\n---\nmode: prd\n---',
    );
    expect(await read({ text: '---\n# mode: prd\n\n---\n# Rules\n' })).toMatchObject({
      ...DEFAULTS,
      houseRules: '# Rules',
    });
  });

  it.each([
    ['lang', 'fr', 'en', 'fr', 'en'],
    ['mode', 'review', 'prd', 'analysis', 'analysis'],
    ['coordinator', 'maman', 'henry', 'sage', 'sage'],
    ['agents', '[a]', 'b, c', 'd,e', ['d', 'e']],
    ['timeout', '1h', '2h', '3h', 10_800_000],
    ['concurrency', '1', '2', '3', 3],
    ['budgetUsd', '0.25', '2', '3.5', 3.5],
    ['budgetTokens', '1', '2', '3000', 3000],
  ])(
    '%s: a flag beats the environment, that beats the file, that beats the default',
    async (key, inFile, inEnv, inFlag, flagValue) => {
      const value = async (sources: Partial<ConfigSources>) => (await read(sources))[key as 'mode'];
      const text = file(`${key}: ${inFile}`);
      const variable = `COUNCIL_${key.replace(/(?=[A-Z])/, '_').toUpperCase()}`;
      const env = { [variable]: inEnv };
      const flag = key === 'lang' ? 'en' : inFlag;
      const [fromFile, fromEnv, fromFlag] = [
        await value({ text }),
        await value({ text, env }),
        await value({ text, env, flags: { [key]: flag } }),
      ];
      expect(fromFlag).toEqual(flagValue);
      expect(fromEnv).not.toEqual(fromFile);
      expect(fromFile).not.toEqual(DEFAULTS[key as 'mode']);
      if (key !== 'lang') expect(fromFlag).not.toEqual(fromEnv);
      expect(await value({ text, env: { [variable]: '' } })).toEqual(fromFile);
    },
  );

  it('lets an empty --coordinator undo the one of the file', async () => {
    expect(
      (await read({ text: file('coordinator: maman'), flags: { coordinator: '' } })).coordinator,
    ).toBeNull();
    expect((await read({ text: file('coordinator: none') })).coordinator).toBeNull();
  });

  it('looks at no other flag or variable', async () => {
    const flags = { name: 'x', open: true, notify: 'x', launchTimeout: 'x' };
    expect(await read({ flags, env: { COUNCIL_NOTIFY: 'x', COUNCIL_ROOT: '/x' } })).toEqual(DEFAULTS);
  });

  it('takes the language of the environment where nothing else says which', async () => {
    const lang = async (env: Record<string, string>, text?: string): Promise<string> =>
      (await read({ env, ...(text !== undefined && { text }) })).lang;
    expect(await lang({ LANG: 'fr_FR.UTF-8' })).toBe('fr');
    expect(await lang({ LC_ALL: 'C', LC_MESSAGES: 'fr_FR', LANG: 'fr_FR' })).toBe('en');
    expect(await lang({ LC_MESSAGES: 'fr', LANG: 'en_US.UTF-8' })).toBe('fr');
    expect(await lang({ LANG: 'frisian' })).toBe('en');
    expect(await lang({ LANG: 'fr_FR.UTF-8' }, file('lang: en'))).toBe('en');
    expect(await lang({ LANG: 'en_US.UTF-8', COUNCIL_LANG: 'fr' }, file('lang: en'))).toBe('fr');
  });

  it('reports keys it does not know, and goes on', async () => {
    const config = await read({ text: file('mode: prd\ntimout: 1h\nnotes: [x]') });
    expect(config.mode).toBe('prd');
    expect(config.warnings).toHaveLength(2);
    expect(config.warnings[0]).toMatch(
      /^COUNCIL\.md: the setting "timout" is not known and was ignored\. Known: lang, mode,/,
    );
  });

  it.each([
    ['lang: de', 'lang'],
    ['mode: [debate]', 'mode'],
    ['mode: ../x', 'mode'],
    ['coordinator: 5', 'coordinator'],
    ['agents: []', 'agents'],
    ['agents: {henry: 1}', 'agents'],
    ['agents: [henry, ../x]', 'agents'],
    ['agents: __proto__', 'agents'],
    ['timeout: soon', 'timeout'],
    ['timeout: 0', 'timeout'],
    ['timeout: true', 'timeout'],
    ['timeout: 2020-01-01', 'timeout'],
    ['concurrency: 0', 'concurrency'],
    ['budgetUsd: 0', 'budgetUsd'],
    ['budgetUsd: lots', 'budgetUsd'],
    ['budgetTokens: -5', 'budgetTokens'],
    ['budgetTokens: 1.5', 'budgetTokens'],
    ['concurrency: 2.5', 'concurrency'],
    ['concurrency: 65', 'concurrency'],
    ['concurrency: many', 'concurrency'],
    ['launchTimeout: never', 'launchTimeout'],
    ['repair: 3', 'repair'],
    ['approvalTimeout: later', 'approvalTimeout'],
    ['approveAt: home', 'approveAt'],
    ['taskDepth: 6', 'taskDepth'],
    ['taskBudget: 0', 'taskBudget'],
    ['toolRisks: { "*": deadly }', 'toolRisks'],
    ['toolRisks: [high]', 'toolRisks'],
    ['notify: echo hello', 'notify'],
    ['notify: []', 'notify'],
    ['notify: [""]', 'notify'],
    ['notify: [sleep, 5]', 'notify'],
    ['groups: [ada]', 'groups'],
    ['groups: { g1: [ada] }', 'groups'],
    ['groups: { G1: [] }', 'groups'],
    ['groups: { "W*": [ada] }', 'groups'],
  ])('refuses "%s" with path, key, expected and received', async (head, key) => {
    const error = await failure({ text: file(head), path: '/p/COUNCIL.md' });
    expect(error.code).toBe('invalid_config');
    expect(error.exitCode).toBe(2);
    expect(error.message).toMatch(new RegExp(`^/p/COUNCIL\\.md: "${key}" must be .+; received .+\\.$`));
    expect(error.details).toMatchObject({ path: '/p/COUNCIL.md', key });
    expect(error.hint).toMatch(/^Correct this setting in COUNCIL\.md, or remove it\.$|shows the agents/);
    expect(Object.keys(error.details).sort()).toEqual(['expected', 'key', 'path', 'received']);
  });

  it('names the variable or the option that is wrong', async () => {
    expect((await failure({ env: { COUNCIL_TIMEOUT: 'soon' } })).message).toMatch(
      /^the environment variable COUNCIL_TIMEOUT must be a duration .*; received "soon"\.$/,
    );
    expect((await failure({ env: { COUNCIL_TIMEOUT: 'soon' } })).hint).toContain('unset it');
    expect((await failure({ flags: { concurrency: '-1' } })).message).toMatch(
      /^the option --concurrency must be/,
    );
    expect(await failure({ flags: { agents: 'a,,b' } })).toMatchObject({ code: 'invalid_id' });
    expect(await failure({ flags: { mode: 'CON' } })).toMatchObject({ code: 'invalid_id' });
  });

  it('does not fall back to a wrong value that something better overrides', async () => {
    expect((await read({ text: file('timeout: soon'), flags: { timeout: '5m' } })).timeout).toBe(300_000);
  });

  it('refuses front matter that cannot be read', async () => {
    for (const text of ['---\nmode: [\n---\n', '---\nmode: prd\n', '---js\n{}\n---\n', '---\n- a\n---\n']) {
      expect(await failure({ text }), text).toMatchObject({
        code: 'invalid_config',
        message: expect.stringContaining('COUNCIL.md') as string,
      });
    }
  });
});

describe.each(['COUNCIL.md', 'COUNCIL.fr.md'])('templates/%s', (name) => {
  const template = readFileSync(join(import.meta.dirname, '../../../templates', name), 'utf8');

  it('sets nothing by itself and has short house rules', async () => {
    const config = await read({ text: template });
    expect({ ...config, houseRules: '' }).toEqual(DEFAULTS);
    expect(config.houseRules.length).toBeGreaterThan(100);
    expect(config.houseRules.length).toBeLessThan(3000);
  });

  // Not every setting: docs/settings.md is made from the table and has them all.
  it('shows settings with values that are accepted', async () => {
    const set = template.replace(/^# (\w+: .*)$/gm, '$1');
    const config = await read({ text: set });
    expect(config.warnings).toEqual([]);
    expect(config.coordinator).toBe('maman');
    expect(config.notify).not.toBeNull();
  });
});
