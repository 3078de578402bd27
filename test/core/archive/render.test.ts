import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { composeArchive } from '../../../src/core/archive/compose-archive.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { sha256 } from '../../../src/core/base/ids.ts';
import { getLabels } from '../../../src/core/council/naming/labels.ts';
import { measureText } from '../../../src/core/council/document/markers.ts';
import type { Absence, Council } from '../../../src/core/council/state/state.ts';
import { anyCouncil, anyText, participant } from '../council/fixtures.ts';
import { CONVERSATION, debate, END, finished, PATH, spoke } from './sample.ts';
import { countCases } from '../../helpers/long.ts';

const LATE = {
  name: 'sage-RESOLVE-3-0123456789abcdef',
  bytes: 12,
  sha256: sha256('x'),
  path: `memory/shared/.late/${CONVERSATION}/sage-RESOLVE-3-0123456789abcdef`,
};

describe('renderArchive', () => {
  const text = renderArchive(
    finished(debate(), {
      absences: [
        { participant: 'sage', phase: 'CHALLENGE', tour: 2, reason: 'failed: exit code 1', at: END },
      ],
    }),
    [LATE],
  );
  const section = (title: string): string => text.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;

  it('starts with short front matter, then says what was decided', () => {
    expect(text.split('\n').slice(0, 15)).toEqual([
      '---',
      'archive: 2',
      `conversationId: ${CONVERSATION}`,
      'name: test',
      'topic: Tabs or spaces?',
      'mode: debate',
      'status: COMPLETED',
      "startedAt: '2026-02-08T20:00:00.000Z'",
      `endedAt: '${END}'`,
      '---',
      '# Tabs or spaces?',
      '',
      '## Decision',
      '',
      '**No decision was taken.**',
    ]);
    expect(text.match(/^## .*$/gm)).toEqual([
      '## Decision',
      '## Dissent',
      '## Synthesis',
      '## Who sat',
      '## Brief',
      '## COLLECT (round 1)',
      '## CHALLENGE (round 2)',
      '## RESOLVE (round 3)',
      '## Texts that were not accepted',
      '## How it went',
    ]);
    expect(text.trimEnd().endsWith('\n}\n-->')).toBe(true);
  });

  it('holds every text once, and every hash in the block alone', () => {
    const [page, block] = text.split('<!--council-archive ') as [string, string];
    expect(page.split('Tabs are one byte.').length).toBe(2);
    expect(block).not.toContain('Tabs are one byte.');
    expect(page).not.toContain(sha256('Spaces look the same everywhere, says Sage.'));
    expect(block).toContain(sha256('Spaces look the same everywhere, says Sage.'));
  });

  it('shows positions by tour, the carried ones marked, and who moved', () => {
    expect(section('Who sat')).toContain('| 🦉 Henry | tabs | tabs | spaces | agreed |');
    expect(section('Who sat')).toContain(
      '| 🌿 Sage | spaces | spaces (carried from round 1) | spaces (carried from round 1) |  |',
    );
    expect(section('Who sat')).toContain(
      '| 🦎 Lizard | no position read | neither | neither (carried from round 2) | blocks |',
    );
    const absences: Absence[] = [
      { participant: 'lizard', phase: 'COLLECT', tour: 1, reason: 'timeout', at: END },
    ];
    expect(renderArchive(finished(debate(), { absences }), [])).toContain('| 🦎 Lizard | absent | neither |');
    expect(section('Who sat')).toContain('\n- 🦉 Henry: from tabs (round 2) to spaces (round 3)\n');
  });

  it('says who is behind the labels that the participants saw', () => {
    expect(section('Who sat')).toContain(
      'In the texts: Participant A is 🌿 Sage, Participant B is 🦉 Henry, Participant C is 🦎 Lizard.',
    );
    const { state } = finished(debate());
    expect([...getLabels(state)].map((entry) => entry.join(' ')).sort()).toEqual([
      'henry Participant B',
      'lizard Participant C',
      'sage Participant A',
    ]);
    expect(renderArchive(finished(debate(), { anonymous: false }), [])).not.toContain('In the texts');
  });

  it('lists blocking issues, dissent, absences, late texts and how it ended', () => {
    expect(section('Dissent').trim()).toBe(
      '- 🌿 Sage: spaces, did not agree\n- 🦎 Lizard: neither, did not agree, blocks\n\n### Blocking issues\n\n- 🦎 Lizard: no formatter \\| runs',
    );
    expect(section('Who sat').split('### Absences')[1]!.trim()).toBe(
      '- 🌿 Sage, CHALLENGE (round 2): failed to answer: exit code 1',
    );
    expect(section('Texts that were not accepted')).toContain(
      '🌿 Sage, RESOLVE (round 3): 12 bytes, SHA-256 ',
    );
    expect(section('How it went')).toContain(
      '- COLLECT closed after round 1 at 2026-02-08T20:30:00.000Z: there was nobody left to wait for',
    );
  });

  it('holds the coordinator’s synthesis once, with its marker', () => {
    const written = 'Spaces it is.\n\n## Transcript\n<!--/council-response-->';
    const coordinated = renderArchive(
      finished([...debate(), spoke('maman', 4, written)], {
        coordinator: 'maman',
        synthesizer: participant({ title: 'Maman', emoji: '👩' }),
      }),
      [],
    );
    const read = readArchive(coordinated, PATH);
    expect(read.synthesis).toMatchObject({ text: written, by: 'maman', computed: false });
    expect(read.contributions.at(-1)).toMatchObject({ by: 'maman', tour: 4, phase: 'SYNTHESIZE' });
    expect(coordinated.split('Spaces it is.').length).toBe(2);
    expect(coordinated).toContain('Written by 👩 Maman.');
    expect(coordinated).not.toContain('<!--council-digest');
  });

  it.each([
    '```\nnever closed',
    '~~~~ js\n```\n~~~\n',
    '```js\nclosed\n```\n\n````md\n```\nopen',
    '- ```\n  in a list',
    '> ```\n> in a quote',
    '``` not ` a fence',
  ])('is a page with all its headings, whatever fence a text leaves open: %j', (open) => {
    const headings = (said: string): string[] =>
      unified()
        .use(remarkParse)
        .parse(
          renderArchive(finished([spoke('henry', 1, said), spoke('sage', 2, 'calm')]), []).split(
            '\n---\n',
          )[1],
        )
        .children.flatMap((node) =>
          node.type === 'heading' && node.children[0]?.type === 'text' ? [node.children[0].value] : [],
        );
    expect(headings(open)).toEqual(headings('calm'));
    expect(headings(open)).toContain('How it went');
    const read = readArchive(renderArchive(finished([spoke('henry', 1, open)]), []), PATH);
    expect([read.altered, read.contributions[0]!.text]).toEqual([[], open]);
  });

  it('gives the same bytes at every call', () => {
    expect(renderArchive(finished(debate()), [LATE])).toBe(renderArchive(finished(debate()), [LATE]));
  });

  it('speaks French', () => {
    const french = renderArchive(finished(debate(), { lang: 'fr' }), []);
    expect(french).toContain('## Mandat');
    expect(french).toContain('| 🌿 Sage | spaces | spaces (reprise du tour 1) |');
    expect(readArchive(french, PATH)).toMatchObject({ meta: { lang: 'fr' }, altered: [] });
  });

  it('refuses a council that is still open', () => {
    expect(() => renderArchive(finished([], { closing: null }), [])).toThrow(
      expect.objectContaining({ code: 'not_your_turn' }),
    );
  });

  it('gives every text and fact back, whatever the texts are', () => {
    const closed = anyCouncil.map((council): Council => ({
      ...council,
      state: { ...council.state, closing: council.state.closing ?? { path: PATH, at: END, why: null } },
    }));
    fc.assert(
      fc.property(closed, (council) => {
        const path = council.state.closing!.path;
        const { altered, ...read } = readArchive(renderArchive(council, [LATE]), path);
        expect(altered).toEqual([]);
        expect(read.brief).toBe(council.brief);
        expect(read.contributions.map((c) => c.text)).toEqual(council.contributions.map((c) => c.text));
        expect(read).toEqual(composeArchive(council, [LATE]));
      }),
      { numRuns: countCases(300) },
    );
  });

  it('keeps the bytes of a hostile contribution and nothing of it becomes structure', () => {
    fc.assert(
      fc.property(anyText, (hostile) => {
        const council = finished([
          spoke('henry', 1, hostile, { position: hostile, blocking: [hostile] }),
          spoke('sage', 1, 'plain'),
        ]);
        const read = readArchive(renderArchive(council, []), PATH);
        expect(read.contributions.map((c) => [c.by, c.text])).toEqual([
          ['henry', hostile],
          ['sage', 'plain'],
        ]);
        expect(read.contributions[0]).toMatchObject(measureText(hostile));
      }),
      { numRuns: countCases(200) },
    );
  });
});

describe('readArchive', () => {
  const text = renderArchive(finished(debate()), []);
  const failing = (edited: string): { code: string; message: string } => {
    try {
      readArchive(edited, PATH);
    } catch (error) {
      return error as { code: string; message: string };
    }
    throw new Error('nothing was refused');
  };

  it('tells of edited headings, tables and lists, and reads what was recorded all the same', () => {
    const edited = text
      .replace('\n## Dissent', '\n## What divided us')
      .replace(/^\| .*\|$/m, '')
      .replace('# Tabs or spaces?\n', '# Indentation\n');
    expect(edited).not.toBe(text);
    expect(readArchive(edited, PATH)).toEqual({
      ...readArchive(text, PATH),
      altered: ['what stands around the texts (headings, lists, tables)'],
    });
  });

  it('reports every text that is no longer word for word', () => {
    const edited = text
      .replaceAll('Still no formatter.\n<', 'All is well.\n<')
      .replace('Decide for the whole house.', 'Decide.')
      .replace('There is no consensus.', 'Everybody agreed.');
    expect(readArchive(edited, PATH).altered).toEqual([
      'the brief',
      'the synthesis',
      'lizard in RESOLVE (round 3)',
    ]);
    expect(
      readArchive(text.replace(/<!--council-brief[^]*?<!--\/council-brief-->/, ''), PATH).altered,
    ).toEqual(['the brief is missing', 'what stands around the texts (headings, lists, tables)']);
  });

  it('reads times that lost their quotes', () => {
    const { altered } = readArchive(text.replace(`endedAt: '${END}'`, `endedAt: ${END}`), PATH);
    expect(altered).toEqual([]);
  });

  it('refuses broken markers and front matter, naming file and place', () => {
    expect(failing(text.replace('<!--/council-brief-->', ''))).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(`${PATH}:`) as string,
    });
    expect(failing('# Just a page\n')).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('is not an archive') as string,
    });
    expect(failing('---\nfoo: [\n---\n')).toMatchObject({ code: 'invalid_config' });
  });
});
