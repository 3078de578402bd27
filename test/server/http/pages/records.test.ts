import { describe, expect, it } from 'vitest';
import type { TrackRecord } from '../../../../src/core/app/track-records.ts';
import { documentOf, elementsIn } from '../../../helpers/html.ts';
import { pageServer } from '../../../helpers/page-server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

const record = (over: Partial<TrackRecord> = {}): TrackRecord => ({
  id: 'ada',
  councils: 12,
  outcomes: { judged: 10, right: 7 },
  brier: 0.214,
  stated: 10,
  calibration: [
    { from: 0.4, below: 0.6, count: 4, stated: 0.5, right: 0.25 },
    { from: 0.8, below: 1, count: 6, stated: 0.9, right: 1 },
  ],
  quotes: { verified: 2, total: 3 },
  challenges: { conceded: 0, total: 0 },
  moves: { explained: 1, unexplained: 1 },
  control: { heard: 0, moved: 0, persuaded: 0, unstable: 0 },
  costPerCouncil: 0.0325,
  ...over,
});

describe('the page of records', () => {
  it('says how each did, and plots stated confidence against what turned out', async () => {
    const origins = [{ how: 'overturned' as const, right: 1, wrong: 2, undecided: 0 }];
    const bo = record({ id: 'bo', calibration: null, brier: null });
    const { url } = await pageServer({ isOpen: true, records: { records: [record(), bo], origins } });
    const { status, body } = await visitorAt(url).get('/records');
    expect(status).toBe(200);
    const page = documentOf(body);
    const all = elementsIn(page);
    const rows = all.filter(({ name }) => name === 'tr').map(({ text }) => text.replace(/\s+/g, ' ').trim());
    expect(rows[1]).toBe('ada 12 7 of 10 0.21 2 of 3 1 of 2 0.0325');
    expect(rows.at(-1)).toBe('the debate overturned the blind majority 1 2 0');
    const points = all.filter(({ name }) => name === 'circle');
    const at = (name: string) => points.map(({ attributes }) => Number(attributes[name]));
    // Half of the way across and a quarter up, then nine tenths and all the way: the higher, the smaller y.
    expect([at('cx'), at('cy')]).toEqual([
      [160, 256],
      [220, 40],
    ]);
    expect(body).toContain('Said 50 %, was right in 25 % of 4.');
  });

  it('says so where nothing was archived', async () => {
    const { url } = await pageServer({ isOpen: true });
    expect((await visitorAt(url).get('/records')).body).toContain('No council has been archived yet.');
  });
});
