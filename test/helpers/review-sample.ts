// A review, and a finding of one, for tests of what is made of them.
import type { Finding, Review } from '../../src/review/report.ts';

export const HEAD = '1f'.repeat(20);

let count = 0;

/** A finding that blocks; `given` says what is different. */
export function sampleFinding(given: Partial<Finding> = {}): Finding {
  count += 1;
  return {
    id: `F${count}`,
    fingerprint: count.toString(16).padStart(16, '0'),
    severity: 'major',
    category: 'correctness',
    title: 'retries are not idempotent',
    place: { file: 'src/queue.ts', side: 'new', start: 41, end: 44 },
    quote: 'await charge(job)',
    standing: 'blocking',
    finders: ['claude', 'codex'],
    wordings: [
      {
        by: 'claude',
        severity: 'major',
        title: 'retries are not idempotent',
        text: 'Fails when the first call times out after charging.',
        fix: 'Send a key with `charge`.',
      },
    ],
    judgements: [{ by: 'gemini', kind: 'confirm', text: 'It charges twice.', counted: true }],
    ...given,
  };
}

/** A review of one changed file with these findings. */
export const sampleReview = (findings: Finding[], given: Partial<Review> = {}): Review => ({
  base: '0a'.repeat(20),
  head: HEAD,
  title: 'main..HEAD',
  files: [
    {
      path: 'src/queue.ts',
      change: 'modified',
      hunks: [{ oldStart: 30, oldLines: 12, newStart: 30, newLines: 20 }],
    },
  ],
  leftOut: [],
  reviewers: ['claude', 'codex', 'gemini'].map((id) => ({ id, name: id, status: 'read' })),
  failOn: 'major',
  verdict: findings.some(({ standing }) => standing === 'blocking') ? 'block' : 'pass',
  findings,
  archives: ['conseils/2026-11-27-review.md'],
  notes: [],
  ...given,
});
