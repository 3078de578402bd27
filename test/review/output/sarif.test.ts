import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import draft04 from 'ajv/lib/refs/json-schema-draft-04.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { loadReviewWords } from '../../../src/review/words.ts';
import { renderSarif } from '../../../src/review/formats.ts';
import { sampleFinding, sampleReview } from '../../helpers/review-sample.ts';
import type { Review } from '../../../src/review/report.ts';

const SCHEMA = join(import.meta.dirname, '../../fixtures/sarif/sarif-schema-2.1.0.json');
const ajv = new Ajv({ schemaId: 'id', meta: false });
ajv.addMetaSchema(draft04);
const isValid = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);

function write(review: Review) {
  const log = renderSarif(review, loadReviewWords('en'));
  expect(isValid(log), ajv.errorsText(isValid.errors)).toBe(true);
  return log.runs[0]!;
}

describe('a review as SARIF', () => {
  it('is what the official schema wants, with a fingerprint that no line is in', () => {
    const found = sampleFinding({ fingerprint: 'c0ffee0123456789' });
    const run = write(sampleReview([found]));
    expect(run.results).toEqual([
      {
        ruleId: 'correctness',
        level: 'error',
        message: {
          text: 'retries are not idempotent\nFails when the first call times out after charging.\nFix: Send a key with `charge`.\nFound by claude, codex.',
        },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'src/queue.ts', uriBaseId: '%SRCROOT%' },
              region: { startLine: 41, endLine: 44 },
            },
          },
        ],
        partialFingerprints: { 'councilFinding/v1': 'c0ffee0123456789' },
        properties: { id: found.id, severity: 'major', standing: 'blocking', finders: ['claude', 'codex'] },
      },
    ]);
    expect(run.tool.driver.rules).toEqual([
      { id: 'correctness', shortDescription: { text: 'Council review: correctness' } },
    ]);
  });

  it.each([
    ['a b.ts', 'a%20b.ts'],
    ['c:/x.ts', 'c%3A/x.ts'],
    ['a%20b#1?.ts', 'a%2520b%231%3F.ts'],
    ['é/"q".ts', '%C3%A9/%22q%22.ts'],
    ['bad\ud800name', 'bad%EF%BF%BDname'],
  ])('writes the path %j as a relative URI', (file, uri) => {
    const place = { file, side: 'new' as const, start: 1, end: 1 };
    const [location] = write(sampleReview([sampleFinding({ place })])).results![0]!.locations!;
    expect(location!.physicalLocation!.artifactLocation!.uri).toBe(uri);
  });

  it('gives removed lines no line of the new file, and a finding about the whole change no place', () => {
    const place = { file: 'src/queue.ts', side: 'old' as const, start: 3, end: 3 };
    const [removed, whole] = write(
      sampleReview([sampleFinding({ place }), sampleFinding({ place: undefined })] as never),
    ).results!;
    expect(removed!.locations![0]!.physicalLocation!.region).toBeUndefined();
    expect(removed!.message.text).toContain('src/queue.ts:3 (old)');
    expect(whole!.locations).toBeUndefined();
  });

  it('leaves out what was refuted or rejected or lies outside, and names what nobody reviewed', () => {
    const run = write(
      sampleReview(
        [
          ...(['refuted', 'rejected', 'outside'] as const).map((standing) => sampleFinding({ standing })),
          sampleFinding({ standing: 'contested', severity: 'note' }),
        ],
        {
          verdict: 'none',
          base: null,
          leftOut: [{ path: 'a.lock', reason: 'lock' }],
          reviewers: [{ id: 'codex', name: 'Codex', status: 'failed' }],
        },
      ),
    );
    expect(run.results!.map(({ level }) => level)).toEqual(['note']);
    expect(run.invocations![0]!.executionSuccessful).toBe(false);
    expect(run.invocations![0]!.toolExecutionNotifications!.map(({ message }) => message.text)).toEqual([
      'Codex did not answer.',
      'Not reviewed: a.lock (a lock file)',
    ]);
  });

  it('holds 5,000 results, and says how many it leaves out', () => {
    const run = write(sampleReview(Array.from({ length: 5003 }, () => sampleFinding())));
    expect(run.results).toHaveLength(5000);
    expect(run.invocations![0]!.toolExecutionNotifications![0]!.message.text).toMatch(/^3 more/);
  });
});
