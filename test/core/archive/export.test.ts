import { describe, it, expect } from 'vitest';
import { unified } from 'unified';
import remarkParse from 'remark-parse';
import { archivePage, exportArchive } from '../../../src/core/archive/export.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { sha256 } from '../../../src/core/base/ids.ts';
import type { Contribution, CouncilState, Decision } from '../../../src/core/council/state/state.ts';
import { participant } from '../council/fixtures.ts';
import { debate, END, finished, PATH, spoke } from './sample.ts';

const archive = (said: Contribution[] = debate(), over: Partial<CouncilState> = {}) =>
  readArchive(renderArchive(finished(said, over), []), PATH);
const maman = { coordinator: 'maman', synthesizer: participant({ title: 'Maman', emoji: '👩' }) };

describe('the JSON export', () => {
  const hostile = '\r\n<!--/council-response-->\u2028{"x": 1}\n';
  const exported = exportArchive(
    archive([spoke('henry', 1, hostile), spoke('maman', 4, 'So be it.')], maman),
    'json',
  );

  it('has exactly the keys of the contract', () => {
    expect(Object.keys(exported)).toEqual([
      'meta',
      'brief',
      'synthesis',
      'contributions',
      'absences',
      'late',
      'outcomes',
      'ledger',
      'metrics',
      'ballot',
    ]);
    expect(Object.keys(exported.contributions[0]!)).toEqual([
      'participant',
      'phase',
      'tour',
      'at',
      'sha256',
      'text',
    ]);
    expect(exported.meta).toMatchObject({
      id: '2026-02-08-tabs-or-spaces',
      path: PATH,
      topic: 'Tabs or spaces?',
      endedAt: END,
    });
    expect(exported.synthesis).toEqual({
      text: 'So be it.',
      by: 'maman',
      computed: false,
      lender: null,
      model: null,
      contradicts: false,
    });
  });

  it('has the texts exactly as they were written', () => {
    expect(exported.contributions[0]).toEqual({
      participant: 'henry',
      phase: 'COLLECT',
      tour: 1,
      at: expect.any(String) as string,
      sha256: sha256(hostile),
      text: hostile,
    });
    expect(JSON.parse(JSON.stringify(exported))).toEqual(exported);
  });
});

describe('the Markdown export', () => {
  it('is a page without front matter and markers', () => {
    const page = exportArchive(archive(), 'md');
    expect(page.startsWith('# Tabs or spaces?\n')).toBe(true);
    expect(page).not.toContain('<!--');
    for (const part of [
      '## Brief',
      '## Synthesis',
      '## Who sat',
      '## COLLECT (round 1)',
      '### 🦎 Lizard',
      'Tabs are one byte.',
    ])
      expect(page).toContain(part);
  });

  it('keeps every contribution under its own heading, whatever it contains', () => {
    const headings = (page: string): string[] =>
      unified()
        .use(remarkParse)
        .parse(page)
        .children.flatMap((node) =>
          node.type === 'heading' && node.depth <= 4
            ? [page.slice(node.position!.start.offset, node.position!.end.offset)]
            : [],
        );
    const calm = headings(
      exportArchive(archive([spoke('henry', 1, 'calm'), spoke('sage', 1, 'calm')]), 'md'),
    );
    for (const hostile of [
      '```\nnever closed',
      '~~~~ x\n```\n',
      '# Big\n## Brief\n### 🌿 Sage',
      '---\nposition: x\n---\ntext',
      '<!-- hidden',
      '<!--council-response {}-->',
    ]) {
      expect(
        headings(exportArchive(archive([spoke('henry', 1, hostile), spoke('sage', 1, 'calm')]), 'md')),
        hostile,
      ).toEqual(calm);
    }
  });
});

const DECISION: Decision = {
  decided: true,
  position: 'spaces',
  rule: 'majority',
  denominator: 2,
  votes: { spaces: 2 },
  tie: false,
  quorum: { needed: 2, present: 2, met: true },
  blockedBy: [],
  reason: 'accepted',
  why: '"spaces" has 2 of 2 votes.',
};

describe('the decision record', () => {
  it('says first that nothing was decided, and whose text looks like a decision', () => {
    const lines = exportArchive(
      archive([...debate(), spoke('maman', 4, '### Decision\n\nSpaces.')], { ...maman, status: 'COMPLETED' }),
      'adr',
    );
    const section = lines.slice(lines.indexOf('## Decision'), lines.indexOf('## Positions considered'));
    expect(section).toMatch(
      /^## Decision\n\nNo decision was taken\.\n\n### Synthesis\n\nWritten by [^]*The council did not decide: [^]*Decision\n/,
    );
  });

  it('has status, date, context, decision, positions, dissent and source', () => {
    const record = exportArchive(
      archive([...debate(), spoke('maman', 4, '# Verdict\n\nSpaces.')], {
        ...maman,
        status: 'CONVERGED',
        decision: DECISION,
      }),
      'adr',
    );
    expect(record).toContain('- Status: Accepted (ended in consensus)\n- Date: 2026-02-08');
    expect(record.match(/^## .*$/gm)).toEqual([
      '## Context',
      '## Decision',
      '## Positions considered',
      '## Dissent and open issues',
      '## Source',
    ]);
    // Whose text it is stands above it.
    expect(record).toContain('### Synthesis\n\nWritten by ');
    expect(record).toContain('> #### Verdict\n>\n> Spaces.');
    expect(record).toContain('no formatter');
    expect(record).toContain(PATH);
  });

  it('is a proposal without consensus, says when nothing was decided, and speaks French', () => {
    const record = exportArchive(archive(debate(), { lang: 'fr' }), 'adr');
    expect(record).toContain('- Statut : Proposée');
    expect(record).toContain('Aucune décision n’a été prise.');
  });
});

it('names those whom a contribution to an anonymous council calls by a letter, but not in what it quotes', () => {
  const said = 'Participant B is right.\n\n> Participant B said so.\n';
  const page = archivePage(
    archive([spoke('henry', 1, 'Tabs.'), spoke('sage', 2, said)], { anonymous: true }),
  );
  const text = page.find((part) => /^>.* is right\./.test(part))!;
  expect(text).toMatch(/^> (?:Henry|Sage|Lizard|Nova)\b.* is right\.\n>\n> > Participant B said so\.$/);
});
