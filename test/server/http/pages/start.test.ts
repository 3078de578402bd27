import { describe, expect, it } from 'vitest';
import { CouncilError, toErrorDocument } from '../../../../src/core/base/errors.ts';
import { loadPageWords } from '../../../../src/server/page/words.ts';
import {
  findComplaint,
  explainStartRefusal,
  renderStartCommand,
  readStartForm,
  toStartInput,
} from '../../../../src/server/http/pages/start.ts';

const EN = loadPageWords('en');
const ADMIN = { caller: { role: 'admin' as const }, lang: 'en' as const, w: EN };
const filled = (fields: Record<string, string>) =>
  readStartForm(new URLSearchParams({ topic: 'Where should the queue live?', ...fields }));

describe('the form of a new council', () => {
  it.each([
    ['topic', { topic: '  ' }],
    ['name', { name: 'The Queue' }],
    ['name', { name: 'queue/../../etc' }],
    ['options', { options: 'Build\n' }],
    ['options', { options: 'Build\n  build \nBuy' }],
    ['agents', { agents: 'nova', coordinator: 'nova' }],
    ['timeout', { timeout: 'two hours' }],
    ['timeout', { timeout: '30 parsecs' }],
    ['timeout', { timeout: '900d' }],
    ['budget', { budget: 'cheap' }],
    ['budget', { budget: '0' }],
    ['budget', { budget: '-1' }],
    ['budget', { budget: '1,000.50' }],
  ])('says of %s in the words of the page what is wrong: %j', (field, fields) => {
    for (const lang of ['en', 'fr'] as const) {
      const wrong = findComplaint(filled(fields), loadPageWords(lang))!;
      expect(wrong).toMatchObject({ field });
      // What speaks to programs stays out: names of fields, options and schemas.
      expect(wrong.says).not.toMatch(/argument|must be|received|--|schema|topic|timeout/);
    }
  });

  it('takes what people write, and gives it to the call and to the command alike', () => {
    const one = filled({
      name: 'queue',
      timeout: '1h30m',
      budget: '0,50',
      lang: 'fr',
      options: ' Build it \n\nBuy it',
    });
    expect(findComplaint(one, EN)).toBeUndefined();
    expect(toStartInput(one)).toEqual({
      topic: 'Where should the queue live?',
      ...{ name: 'queue', lang: 'fr', timeout: '1h30m', budgetUsd: 0.5, option: ['Build it', 'Buy it'] },
    });
    expect(renderStartCommand(one)).toBe(
      "council start 'Where should the queue live?' --name queue --option 'Build it' --option 'Buy it' --lang fr --timeout 1h30m --budget-usd 0.50",
    );
    expect(findComplaint(filled({ topic: '', brief: '# Where?' }), EN)).toBeUndefined();
  });

  it('says what the server refuses as well', () => {
    const refused = (code: 'name_taken' | 'usage' | 'failed', message: string) => ({
      document: { error: toErrorDocument(new CouncilError(code, message)) },
      failed: true,
      code,
    });
    const taken = refused('name_taken', 'A council "queue" is already active.');
    expect(explainStartRefusal(taken, filled({ name: 'queue' }), ADMIN)).toEqual({
      field: 'name',
      says: 'A council named “queue” is already running. Choose another name.',
    });
    expect(explainStartRefusal(taken, filled({}), ADMIN).says).toBe(
      'Another council is already running: give this one a name.',
    );
    const bare = filled({ topic: '', brief: 'No heading.' });
    expect(explainStartRefusal(refused('usage', 'A council needs a question.'), bare, ADMIN).field).toBe(
      'topic',
    );
    // What names options of the command line is said otherwise.
    const nobody = 'No participants: there are no agents. Name them with --agents, or take --panel offline.';
    expect(explainStartRefusal(refused('usage', nobody), filled({}), ADMIN)).toEqual({
      field: 'agents',
      says: 'Nobody would take part: choose somebody below.',
    });
    expect(explainStartRefusal(refused('failed', 'The disk is full.'), filled({}), ADMIN).says).toBe(
      'The disk is full.',
    );
  });
});
