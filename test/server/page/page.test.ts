import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/core/archive/archive.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { pageDocument } from '../../../src/server/page/document.ts';
import { convertMarkdownToHtml } from '../../../src/server/page/markdown/to-html.ts';
import { renderPage } from '../../../src/server/page/render.ts';
import { showWholeArchive } from '../../../src/server/page/seen-council.ts';
import type { SeenCouncil } from '../../../src/server/page/seen-council.ts';
import { buildSeenSoFar } from '../../../src/server/page/active-council.ts';
import { PALETTE } from '../../../src/server/page/style.ts';
import { HOSTILE, archiveCalled } from '../../helpers/hostile-page.ts';
import { dangerIn, documentOf, elementsIn, textIn } from '../../helpers/html.ts';
import { queueArchive, queueUpTo } from '../../helpers/page-sample.ts';

const pageOf = (seen: SeenCouncil): string => renderPage(pageDocument(seen), convertMarkdownToHtml);
const page = (archive: Archive): string => pageOf(showWholeArchive({ archive }));
const regions = (html: string): string[] =>
  elementsIn(documentOf(html))
    .filter(({ name }) => name === 'h2')
    .map(({ text }) => text.trim());

/** The page of a council in which everything is called like this. */
const called = (text: string): string => page(archiveCalled(text));

describe('the page of an archive', () => {
  const html = page(queueArchive());
  const elements = elementsIn(documentOf(html));

  it('has named regions, the decision first', () => {
    expect(regions(html)).toEqual([
      'Decision',
      'Dissent',
      'Challenges without an answer (1)',
      'How positions moved',
      'Synthesis',
      'Brief',
      'Contributions',
      'Ledger',
      'Timeline',
    ]);
    expect(regions(page(queueArchive({ lang: 'fr' })))).toEqual([
      ...[
        'Décision',
        'Désaccords',
        'Objections restées sans réponse (1)',
        'Comment les positions ont évolué',
        'Synthèse',
        'Mandat',
        'Contributions',
        'Registre',
        'Chronologie',
      ],
    ]);
  });

  it('tells the time once where a council began and ended in one minute', () => {
    const { startedAt, endedAt } = queueArchive().meta;
    const timesOf = (end: string): number => {
      const archive = queueArchive();
      const html = page({ ...archive, meta: { ...archive.meta, endedAt: end } });
      return /<header id="top">.*?<\/header>/su.exec(html)![0].split('<time').length - 1;
    };
    expect([timesOf(startedAt), timesOf(endedAt)]).toEqual([1, 2]);
  });

  it('tells the decision, the votes, the rule, who dissents and what is unanswered', () => {
    const first = elements.find(({ attributes }) => attributes.class === 'first')!.text;
    for (const words of [
      'P2 "Keep PostgreSQL',
      'Blind vote (COLLECT)',
      'Rule: majority',
      'Gemini',
      'Nobody has measured locks',
      'Challenges without an answer (1)',
      'c2',
    ])
      expect(first).toContain(words);
  });

  it('has an address for every contribution, claim and challenge, each once, and no link that leads nowhere', () => {
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([
        'said-1-henry',
        'said-3-opencode',
        'claim-henry.1',
        'challenge-c1',
        'round-2',
        'ledger',
      ]),
    );
    const links = elements.flatMap(({ name, attributes }) =>
      name === 'a' && attributes.href?.startsWith('#') ? attributes.href.slice(1) : [],
    );
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('marks the words that a challenge quotes, and has it in the margin of the text that says them', () => {
    const marks = elements.filter(({ name }) => name === 'mark').map(({ text }) => text);
    expect(marks.filter((text) => text === 'that can be learned in a week')).toHaveLength(1);
    for (const { id, against, target } of queueArchive().meta.ledger.challenges) {
      if (target === null) continue;
      const margins = elements.filter(({ attributes }) => attributes.id === `said-1-${against}`);
      expect(margins).toHaveLength(1);
      expect([id, html.indexOf(`id="challenge-${id}"`) > html.indexOf(`id="said-1-${against}"`)]).toEqual([
        id,
        true,
      ]);
      expect(html.split(`id="challenge-${id}"`)[0]).not.toContain('id="ledger"');
    }
  });

  it('has a card for each position with who holds it, and who could live with it', () => {
    const cards = elements.filter(
      ({ name, attributes }) => name === 'li' && /^c\d$/.test(attributes.class ?? ''),
    );
    const said = cards.map(({ text }) => text.replace(/\s+/g, ' ').trim());
    expect(said[0]).toMatch(/^P2 Keep PostgreSQL .* ★ decided 8: 🦉 Henry, /);
    expect(said.slice(1).join('\n')).toContain('nobody now Also accepted by: ');
  });

  it('has headings without a gap', () => {
    const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels[0]).toBe(1);
    levels.slice(1).forEach((level, at) => expect(level).toBeLessThanOrEqual(levels[at]! + 1));
  });

  it('lets through its own style sheet, and nothing else', () => {
    const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')!
      .attributes.content!;
    const style = /<style>([^]*?)<\/style>/.exec(html)![1]!;
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(dangerIn(documentOf(html))).toEqual([]);
  });

  it('says what launches used up, by phase and by agent', () => {
    const timeline = elements.find(({ attributes }) => attributes.id === 'timeline')!.text;
    for (const words of [
      'COLLECT (round 1)',
      'deadline passed',
      'By agent',
      'unknown',
      'Every launch: 23',
      'Total',
    ])
      expect(timeline).toContain(words);
  });

  it('shows an altered archive as one', () => {
    expect(
      pageOf({ ...showWholeArchive({ archive: queueArchive() }), altered: ['henry in COLLECT'] }),
    ).toContain('Not as it was recorded: henry in COLLECT.');
  });

  it.each(HOSTILE)('is nothing but words wherever it is called %j', (text) => {
    const hostile = documentOf(called(text));
    expect(dangerIn(hostile)).toEqual([]);
    const ids = elementsIn(hostile).flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows nobody what nobody can see', () => {
    expect(called('left\u202Eright \u2066x\u2069 \u{E0041}')).not.toMatch(
      /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u,
    );
  });

  it('can be made of every archive of this project', () => {
    const root = join(import.meta.dirname, '..', '..', '..', 'conseils');
    for (const name of readdirSync(root).filter((file) => file.endsWith('.md'))) {
      const archive = readArchive(readFileSync(join(root, name), 'utf8'), `conseils/${name}`);
      const made = documentOf(page(archive));
      expect(dangerIn(made)).toEqual([]);
      const words = textIn(made);
      for (const { text } of archive.contributions)
        for (const word of text.replace(/^---\n[^]*?\n---\n/, '').match(/[\p{L}\p{N}]{4,}/gu) ?? [])
          expect(words).toContain(word);
    }
  });
});

describe('the page of a council that goes on', () => {
  const secret = 'CANARY';
  const open = (council: ReturnType<typeof queueUpTo>) => {
    const { state } = council;
    // Somebody has spoken in the round that is open.
    const said = {
      ...council.contributions[0]!,
      tour: state.tour,
      phase: state.currentPhase,
      text: `${secret} words`,
      position: secret,
    };
    const usage = [...(state.usage ?? []), { ...state.usage![0]!, tour: state.tour, model: secret }];
    return { ...council, contributions: [...council.contributions, said], state: { ...state, usage } };
  };

  it('shows the rounds that have closed, and nothing of the one that is open', () => {
    const html = pageOf(buildSeenSoFar(open(queueUpTo(1))));
    expect(html).toContain('CHALLENGE (round 2) is open until');
    expect(html).toContain('PostgreSQL is backed up every night.');
    expect(html).not.toContain(secret);
    expect(dangerIn(documentOf(html))).toEqual([]);
  });

  it('shows nothing of anybody while COLLECT is blind', () => {
    const council = queueUpTo(1);
    const { state } = queueUpTo(0);
    const html = pageOf(buildSeenSoFar({ ...council, state: { ...state, usage: council.state.usage! } }));
    expect(html).toContain('COLLECT (round 1) is open until');
    for (const words of ['backed up', 'SKIP LOCKED', 'model-of', 'henry.1', '4,0'])
      expect(html).not.toContain(words);
  });

  it.each([0, 1, 2])('says nothing of launches that it hides, and has no empty part: round %i', (rounds) => {
    for (const over of [{}, { anonymous: true, labelSeed: '0123456789abcdef0123456789abcdef' }]) {
      const council = queueUpTo(rounds, over);
      // In round 1 programs run, and nothing is told of them yet.
      const html = pageOf(buildSeenSoFar(council));
      expect(html).not.toContain('No program was launched');
      const all = elementsIn(documentOf(html));
      const table = all.filter(({ name }) => name === 'tbody');
      expect(table.filter(({ text }) => text.trim() === '')).toEqual([]);
      if (council.state.anonymous) expect(html).not.toContain('Launches');
      for (const { name, text } of all)
        if (name === 'section') expect(text.trim().split('\n').length).toBeGreaterThan(1);
      if (rounds === 0) expect(html).not.toMatch(/id="(?:timeline|contributions)"/);
    }
  });

  it('names nobody whom the council does not name', () => {
    const html = pageOf(
      buildSeenSoFar(queueUpTo(2, { anonymous: true, labelSeed: '0123456789abcdef0123456789abcdef' })),
    );
    expect(html).toContain('Participant A');
    expect(html).toContain('In the texts, letters stand for names until the council is over.');
    expect(html).toContain('PostgreSQL is backed up every night.');
    for (const name of [
      'Henry',
      'Sage',
      'Nova',
      'Claude',
      'Codex',
      'Gemini',
      'OpenCode',
      'henry',
      'sage',
      'codex',
      '11111111-2222',
    ])
      expect(html).not.toContain(name);
    const ids = elementsIn(documentOf(html)).flatMap(({ attributes }) => attributes.id ?? []);
    expect(ids.filter((id) => /henry|sage|nova|ana|claude|codex|gemini|opencode/.test(id))).toEqual([]);
  });
});

describe('the colours', () => {
  const channel = (hex: string, at: number): number => {
    const value = parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const light = (hex: string): number =>
    0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 1) + 0.0722 * channel(hex, 2);
  const contrast = (a: string, b: string): number => {
    const [less, more] = [light(a), light(b)].sort((x, y) => x - y) as [number, number];
    return (more + 0.05) / (less + 0.05);
  };

  it.each(Object.entries(PALETTE))('can be read by everybody: %s', (_name, colours) => {
    for (const ground of [colours.ground, colours.raised])
      for (const ink of [colours.text, colours.soft, colours.link, colours.warning, ...colours.classes])
        expect({ ink, ground, enough: contrast(ink, ground) >= 4.5 }).toEqual({ ink, ground, enough: true });
    expect(contrast(colours.text, colours.mark)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colours.link, colours.mark)).toBeGreaterThanOrEqual(3);
  });
});
