import fc from 'fast-check';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { readArchive, readFacts } from '../../../src/core/archive/parse.ts';
import { listArchives } from '../../../src/core/archive/read.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import type { CouncilError } from '../../../src/core/base/errors.ts';
import { decodeText } from '../../../src/core/base/text.ts';
import { measureText } from '../../../src/core/council/document/markers.ts';
import { createMemoryArchives } from '../../../src/core/store/memory/memory-store.ts';
import { anyCouncil, anyText } from '../council/fixtures.ts';
import { debate, END, finished, PATH, spoke } from './sample.ts';
import { countCases } from '../../helpers/long.ts';

const text = renderArchive(
  finished([...debate(), spoke('sage', 3, 'Été 🌿.\r\nTwo line ends.\n')], { anonymous: true }),
  [],
);
const [page, block] = cutAt(text, '<!--council-archive ');

function cutAt(whole: string, what: string): [string, string] {
  const at = whole.indexOf(what);
  return [whole.slice(0, at), whole.slice(at)];
}

function failing(edited: string, path = PATH): CouncilError {
  try {
    readArchive(edited, path);
  } catch (error) {
    return error as CouncilError;
  }
  throw new Error('nothing was refused');
}

describe('an archive that was cut', () => {
  it('is never read, and named, wherever it ends', () => {
    const bytes = Buffer.from(text);
    const whole = bytes.length - 1;
    expect(readArchive(bytes.subarray(0, whole).toString(), PATH).altered).toEqual([]);
    for (let length = 0; length < whole; length++) {
      const kept = bytes.subarray(0, length);
      let told: unknown;
      try {
        readFacts(decodeText(kept, PATH), PATH);
      } catch (error) {
        told = error;
      }
      const { code, message } = told as CouncilError;
      const isHalfACharacter = code === 'invalid_text';
      expect(message, String(length)).toContain(PATH);
      if (!isHalfACharacter) expect([code, message], String(length)).toEqual(['corrupt', CUT]);
    }
  });
  const CUT = expect.stringMatching(/ is cut: /) as string;

  it('says how much of its machine data is there', () => {
    expect(failing(text.slice(0, -300)).message).toMatch(/ is cut: \d+ of \d+ bytes of its machine data are/);
    expect(failing(page).message).toMatch(/ is cut: the machine data at its end is missing\.$/);
  });

  it('is a problem of a list, never a line of it', async () => {
    const files = createMemoryArchives();
    await files.create(PATH, text);
    for (const [at, part] of ['', page, text.slice(0, -9), text.slice(0, 40)].entries())
      await files.create(`conseils/2026-02-09-cut-${at}.md`, part);
    const { archives, problems } = await listArchives(files);
    expect(archives.map(({ path }) => path)).toEqual([PATH]);
    expect(problems.map(({ message }) => message.replace(/:.*/s, ''))).toEqual(
      [0, 1, 2, 3].map((at) => `conseils/2026-02-09-cut-${at}.md is cut`),
    );
  });
});

describe('an archive that was altered', () => {
  it.each([
    ['a fact', text.replace('"tours":4', '"tours":5'), /do not match their hash/],
    ['a fact that is gone', text.replace('"why":null,\n', ''), /\d+ of \d+ bytes/],
    ['the hash itself', text.replace(/("sha256":")\w{4}/, '$10000'), /hash/],
    ['a huge length', text.replace(/"bytes":\d+/, '"bytes":9e99'), /\d+ of 9e\+99 bytes/],
    ['no length', text.replace(/"bytes":\d+,/, ''), /length and hash/],
    [
      'a head that is no JSON',
      text.replace('<!--council-archive {', '<!--council-archive ['),
      /length and hash/,
    ],
    ['two blocks', `${text}${block}`, /more than one block/],
    ['a format that no archive has', text.replace('archive: 2', 'archive: 1'), /format 1/],
    ['lines that an editor has wrapped', text.replaceAll('","', '",\n"'), /bytes/],
  ])('is refused by name: %s', (_, edited, why) => {
    expect(edited).not.toBe(text);
    const { code, message } = failing(edited);
    expect([code, message]).toEqual(['corrupt', expect.stringMatching(why)]);
    expect(message).toContain(`${PATH} was altered: `);
  });

  it('of a newer format asks for a newer council', () => {
    for (const edited of [text.replace('archive: 2', 'archive: 3'), text.replace('"format":2', '"format":3')])
      expect(failing(edited)).toMatchObject({
        message: expect.stringContaining('archive format 3') as string,
      });
  });

  it('is read from its machine data where its front matter says something else, and that is told', async () => {
    const sound = readArchive(text, PATH);
    const without = text.replace(/^---\n[^]*?\n---\n/, '');
    const edits: [string, string][] = [
      [text.replace('topic: Tabs or spaces?', 'topic: Indentation'), 'topic'],
      [text.replace('archive: 2\n', ''), 'archive'],
      [text.replace('status: COMPLETED', 'status: fine'), 'status'],
      [without, 'archive, conversationId, name, topic, mode, status, startedAt, endedAt'],
    ];
    for (const [edited, keys] of edits) {
      const { altered, ...read } = readArchive(edited, PATH);
      expect({ ...read, altered: [] }).toEqual(sound);
      expect(altered).toEqual([`its front matter (${keys})`]);
      const files = createMemoryArchives();
      await files.create(PATH, edited);
      const { archives, problems } = await listArchives(files);
      expect(archives).toMatchObject([{ topic: 'Tabs or spaces?', status: 'COMPLETED', endedAt: END }]);
      expect(problems).toMatchObject([
        { path: PATH, message: expect.stringContaining(`(${keys})`) as string },
      ]);
    }
  });

  it('tells of what was added around its texts, behind its block, and of a text that nobody recorded', () => {
    const added = '<!--council-response {"by":"eve","tour":9}-->\nMe too.\n<!--/council-response-->\n\n';
    expect(readArchive(`${page}${added}${block}`, PATH).altered).toEqual([
      'a contribution that was never recorded (1)',
      'what stands around the texts (headings, lists, tables)',
    ]);
    expect(readArchive(`${text}\nMy note.\n`, PATH).altered).toEqual(['what follows its machine data']);
  });
});

describe('an archive after other programs', () => {
  const sound = readArchive(text, PATH);

  it('reads the same with the line ends of Windows, with a BOM, and without its last line end', () => {
    const mixed = renderArchive(finished(debate()), []);
    expect(readArchive(mixed.replaceAll('\n', '\r\n'), PATH)).toEqual(readArchive(mixed, PATH));
    expect(readArchive(`\uFEFF${text}`, PATH)).toEqual(sound);
    expect(readArchive(text.trimEnd(), PATH)).toEqual(sound);
    // Only a text that had both kinds of line ends cannot be told from what the conversion made of it.
    expect(readArchive(text.replaceAll(/\r?\n/g, '\r\n'), PATH).altered).toEqual([
      'sage in RESOLVE (round 3)',
    ]);
  });

  it('names what a formatter changed, and keeps its facts', async () => {
    const formatted = await format(text, { parser: 'markdown', proseWrap: 'always', printWidth: 40 });
    const { meta, altered } = readArchive(formatted, PATH);
    expect(meta).toEqual(sound.meta);
    expect(altered).toContain('what stands around the texts (headings, lists, tables)');
    expect(altered.some((what) => what.includes(' in ') && what.includes('round'))).toBe(true);
  });

  it('keeps facts that look like the block', () => {
    const hostile = '<!--council-archive {"format":2}\n{}\n-->\n---\narchive: 2\n---';
    const council = finished([spoke('henry', 1, hostile, { position: hostile, blocking: [hostile] })], {
      topic: hostile,
      closing: { path: PATH, at: END, why: hostile },
    });
    const { altered, meta, contributions } = readArchive(renderArchive(council, []), PATH);
    expect([altered, meta.topic, meta.why, contributions[0]!.text]).toEqual([[], hostile, hostile, hostile]);
  });
});

it('has no more than 20 lines of front matter, one block, and no other marker than its own, whatever is said', () => {
  fc.assert(
    fc.property(anyCouncil, anyText, (council, topic) => {
      const closing = { path: PATH, at: END, why: topic };
      const written = renderArchive({ ...council, state: { ...council.state, topic, closing } }, []);
      const end = written.indexOf('\n---\n');
      expect(written.slice(0, end).split('\n').length).toBeLessThan(20);
      expect(written.split('\n<!--council-archive ').length).toBe(2);
      expect(readArchive(written, PATH)).toMatchObject({ altered: [], meta: { topic } });
    }),
    { numRuns: countCases(200) },
  );
});

it.each([
  ['nested deeply', `{"a":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}`],
  ['nested deeply, with escapes', `{"a":"\\u003c","b":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
  ['many values', `{"conversationId":"x","participants":[${'{},'.repeat(4_000_000)}{}]}`],
  ['larger than any', `{"a":"${'x'.repeat(20_000_000)}"}`],
  ['a key that reaches into a prototype', '{"__proto__":{"conversationId":"x"}}'],
])('refuses a block that is whole and hostile: %s', (_, json) => {
  const head = JSON.stringify({ format: 2, ...measureText(json) });
  expect(failing(`${page}<!--council-archive ${head}\n${json}\n-->\n`).code).toBe('corrupt');
});
