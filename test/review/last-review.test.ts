import { describe, expect, it } from 'vitest';
import { loadReviewWords } from '../../src/review/words.ts';
import { carryFindings } from '../../src/review/last-review.ts';
import type { TextsNow } from '../../src/review/last-review.ts';
import type { Finding, Place, Review } from '../../src/review/report.ts';
import { sampleFinding as sample, sampleReview } from '../helpers/review-sample.ts';

/** One of claude's that gemini confirms. */
const sampleFinding = (given: Partial<Finding> = {}): Finding => sample({ finders: ['claude'], ...given });

const at = (start: number, side: Place['side'] = 'new', file = 'src/queue.ts'): Place => ({
  ...{ file, side, start, end: start },
});
const TEXT = 'first line\nsecond line\nawait charge(job)\nlast line\n';

const carry = (
  open: Finding[],
  fresh: Finding[],
  { text = TEXT, ...given }: { text?: string | null; now?: TextsNow; review?: Partial<Review> } = {},
) =>
  carryFindings(
    sampleReview(fresh, { archives: ['new.md'], ...given.review }),
    sampleReview(open, { archives: ['old.md'] }),
    given.now ?? new Map([['src/queue.ts', text === null ? null : { path: 'src/queue.ts', text }]]),
    loadReviewWords('en'),
  );

describe('a review since the last one', () => {
  it('carries along what is still there, at its new place', () => {
    const still = sampleFinding({ id: 'F1', place: at(3) });
    expect(carry([still], []).findings).toEqual([still]);
    const { findings, notes, verdict, archives } = carry([sampleFinding({ id: 'F1', place: at(41) })], []);
    expect(findings.map(({ id, place }) => [id, place])).toEqual([['F1', at(3)]]);
    expect(notes).toEqual(['Still there, in another place: F1.']);
    expect([verdict, archives]).toEqual(['block', ['new.md']]);
  });

  it('follows a file that was renamed', () => {
    const now: TextsNow = new Map([['src/queue.ts', { path: 'src/jobs.ts', text: TEXT }]]);
    expect(carry([sampleFinding({ place: at(3) })], [], { now }).findings[0]!.place).toEqual(
      at(3, 'new', 'src/jobs.ts'),
    );
  });

  it.each([
    ['the code is gone', 'await charge(job, key)\n'],
    ['the file is gone', null],
  ])('drops a finding and says so where %s', (_, text) => {
    const { findings, notes, verdict } = carry([sampleFinding({ id: 'F1', place: at(3) })], [], { text });
    expect([findings, notes, verdict]).toEqual([[], ['No longer there since the last review: F1.'], 'pass']);
  });

  it('holds that removed code is missing until it is back', () => {
    const missing = sampleFinding({ id: 'F1', place: at(3, 'old') });
    expect(carry([missing], [], { text: 'first line\n' }).findings).toEqual([missing]);
    expect(carry([missing], []).findings).toEqual([]);
  });

  it('keeps a finding about the whole change, which nobody can look up', () => {
    const { place: _, ...whole } = sampleFinding({ standing: 'open' });
    expect(carry([whole], []).findings).toEqual([whole]);
  });

  it('keeps the number and takes the new judgements of what was found again; a new one takes no number of an old one', () => {
    const old = sampleFinding({ id: 'F4', fingerprint: 'aa', place: at(3) });
    const again = sampleFinding({
      ...{ id: 'F1', fingerprint: 'aa', place: at(3), standing: 'contested' },
      judgements: [
        { by: 'codex', kind: 'reject', text: '', counted: true },
        { by: 'gemini', kind: 'reject', text: '', counted: true },
      ],
    });
    const fresh = sampleFinding({ id: 'F1007', fingerprint: '7', place: at(1) });
    const other = sampleFinding({ id: 'F1007', fingerprint: 'cc', place: at(3) });
    expect(carry([old, other], [again, fresh]).findings.map(({ id, standing }) => [id, standing])).toEqual([
      ['F1007', 'blocking'],
      ['F1008', 'blocking'],
      ['F4', 'rejected'],
    ]);
  });

  const alone: Partial<Finding> = { fingerprint: 'aa', place: at(3), standing: 'open', judgements: [] };

  it.each<[string, Partial<Finding>]>([
    ['confirmed it says nothing now', alone],
    [
      'found it quotes its code from outside of what is new',
      { ...alone, standing: 'outside', place: undefined },
    ],
    [
      'found it is another one now',
      { ...alone, wordings: [{ ...sampleFinding().wordings[0]!, by: 'codex' }] },
    ],
  ])('loses no support of a finding when the one who %s', (_, again) => {
    const old = sampleFinding({ fingerprint: 'aa', place: at(3) });
    expect(carry([old], [sampleFinding(again)])).toMatchObject({
      verdict: 'block',
      findings: [{ standing: 'blocking', place: at(3) }],
    });
  });

  it('blocks from the severity on that is asked for now', () => {
    const minor = sampleFinding({ severity: 'minor', standing: 'open', place: at(3) });
    minor.wordings[0]!.severity = 'minor';
    const standing = (failOn: Review['failOn']) =>
      carry([minor], [], { review: { failOn } }).findings[0]!.standing;
    expect([standing('minor'), standing('major')]).toEqual(['blocking', 'open']);
  });

  it('raises nothing again that the table has rejected', () => {
    const rejected = sampleFinding({ fingerprint: 'aa', standing: 'rejected' });
    const { findings, notes, verdict } = carry([rejected], [sampleFinding({ fingerprint: 'aa' })]);
    expect([findings, verdict]).toEqual([[], 'pass']);
    expect(notes).toEqual(['Rejected by the table before, and not raised again: 1.']);
  });

  it('gives no verdict where too few could be read, whatever is carried', () => {
    const reviewers: Review['reviewers'] = [
      { id: 'a', name: 'a', status: 'read' },
      { id: 'b', name: 'b', status: 'failed' },
    ];
    expect(carry([sampleFinding({ place: at(3) })], [], { review: { reviewers } }).verdict).toBe('none');
  });
});
