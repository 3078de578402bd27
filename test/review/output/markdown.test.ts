import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { loadReviewWords } from '../../../src/review/words.ts';
import { renderComment, renderForeignText } from '../../../src/review/output/markdown.ts';

import { HOSTILE } from '../../helpers/hostile-page.ts';
import { elementsIn, fragmentOf, textIn } from '../../helpers/html.ts';
import { sampleFinding, sampleReview } from '../../helpers/review-sample.ts';
import { countCases } from '../../helpers/long.ts';

const words = loadReviewWords('en');

/** As GitHub does before it cleans: HTML in Markdown is HTML. */
const show = (markdown: string) =>
  fragmentOf(
    String(
      unified()
        .use(remarkParse)
        .use(remarkGfm)
        .use(remarkRehype, { allowDangerousHtml: true })
        .use(rehypeStringify, { allowDangerousHtml: true })
        .processSync(markdown),
    ),
  );

/** What a text of a reviewer may become. */
const PLAIN = ['p', 'code', 'pre'];
/** What GitHub finds in the text of a page outside of code. */
const PINGS = /@[\w-]|#\d|GH-\d|:\/\/\S|www\.\S/i;

const textOutsideCode = (markdown: string): string => {
  const tree = show(markdown);
  const code = elementsIn(tree).filter(({ name }) => name === 'code');
  return code.reduce((text, element) => text.replace(element.text, ''), textIn(tree));
};

const FRAGMENTS = [
  '@octo',
  '@acme/admins',
  '#12',
  'octo/shop#3',
  'GH-7',
  'https://evil.example/x',
  'www.evil.example',
  'a@b.example',
  '&#64;octo',
  '&commat;octo',
  '&#35;12',
  '@\u200Bocto',
  '@\u202Eocto',
  '<b>',
  '</details>',
  '<!-- council-review -->',
  '<!--',
  '-->',
  '```',
  '````',
  '~~~',
  '`',
  '``',
  '\\',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '- ',
  '> ',
  '# ',
  '1. ',
  '| a | b |\n| - | - |',
  '[x](https://evil.example)',
  '![x](y.png)',
  '[x]: https://evil.example',
  '[^1]: note',
  '$`x`$',
  '$$',
  '***',
  '___',
  '---',
  '===',
  '<https://evil.example>',
  'word',
  ' ',
  '\r',
  '\u2028',
];

describe('the text of a reviewer in a comment', () => {
  it.each(HOSTILE)('is no HTML and no link: %j', (text) => {
    const names = elementsIn(show(renderForeignText(text, 3000))).map(({ name }) => name);
    expect(names.filter((name) => !PLAIN.includes(name))).toEqual([]);
  });

  it('notifies nobody, links nowhere and opens nothing, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 12 }), (parts) => {
        const markdown = `**claude**, major: ${renderForeignText(parts.join(''), 3000)}\n\n*behind*`;
        const tree = show(markdown);
        const names = elementsIn(tree).map(({ name }) => name);
        expect(names.filter((name) => ![...PLAIN, 'strong', 'em'].includes(name))).toEqual([]);
        // What follows is read as it was meant, so no fence and no span was left open.
        expect(names.filter((name) => name === 'em')).toHaveLength(1);
        expect(textOutsideCode(markdown)).not.toMatch(PINGS);
      }),
      { numRuns: countCases(400) },
    );
  });

  it('keeps code as code, and says the rest word for word', () => {
    const text = 'Call `charge(a_b)` *once*:\n```ts\nawait <charge>(@job)\n```\nand 1 < 2 & 3 > 2.';
    const tree = show(renderForeignText(text, 3000));
    expect(
      elementsIn(tree)
        .filter(({ name }) => name === 'code')
        .map(({ text }) => text),
    ).toEqual(['charge(a_b)', 'await <charge>(@job)\n']);
    expect(textIn(tree)).toContain('*once*');
    expect(textIn(tree)).toContain('and 1 < 2 & 3 > 2.');
  });
});

describe('the comment of a review', () => {
  it('says the verdict, who read what, the findings, and what nobody read, by name', () => {
    const review = sampleReview(
      [
        sampleFinding({
          id: 'F2',
          standing: 'contested',
          judgements: [{ by: 'gemini', kind: 'reject', text: 'It is called once.', counted: false }],
        }),
        sampleFinding({ id: 'F1' }),
        sampleFinding({ id: 'F3', standing: 'refuted', title: 'invented' }),
      ],
      {
        leftOut: [{ path: 'package-lock.json', reason: 'lock' }],
        reviewers: [
          { id: 'claude', name: 'claude', status: 'read' },
          { id: 'codex', name: 'codex', status: 'unreadable' },
        ],
        notes: ['claude and codex are one model.'],
      },
    );
    expect(renderComment(review, words)).toMatchInlineSnapshot(`
      "### Council review: 1 finding blocks

      Read: main..HEAD at \`1f1f1f1f1f1f\`, by claude, codex. A finding blocks from major on, if two reviewers hold it.
      codex answered, and the answer could not be read.
      claude and codex are one model.

      #### Contested

      <details open><summary><b>F2</b> major <code>src/queue.ts:41-44</code> retries are not idempotent</summary>

      \`\`\`
      await charge(job)
      \`\`\`

      **claude**, major: Fails when the first call times out after charging.
      Fix: Send a key with \`charge\`.

      **gemini** rejects it without quoting code of the change, which does not count: It is called once.

      </details>

      #### Blocking

      <details open><summary><b>F1</b> major <code>src/queue.ts:41-44</code> retries are not idempotent</summary>

      \`\`\`
      await charge(job)
      \`\`\`

      **claude**, major: Fails when the first call times out after charging.
      Fix: Send a key with \`charge\`.

      **gemini** confirms it: It charges twice.

      </details>

      #### Refuted: the quoted code is nowhere in the change

      <details><summary><b>F3</b> major <code>src/queue.ts:41-44</code> invented</summary>

      \`\`\`
      await charge(job)
      \`\`\`

      **claude**, major: Fails when the first call times out after charging.
      Fix: Send a key with \`charge\`.

      **gemini** confirms it: It charges twice.

      </details>

      #### Not reviewed
      - <code>package-lock.json</code>: a lock file"
    `);
    const french = renderComment(review, loadReviewWords('fr'));
    expect(french).toContain('Revue du conseil : 1 constat bloque');
    expect(french).toContain('<code>package-lock.json</code>: un fichier de verrouillage');
  });

  it('says that there is no verdict', () => {
    expect(renderComment(sampleReview([], { verdict: 'none' }), words)).toContain(words.comment.noVerdict);
  });

  it('stays within 60 KB: the first findings whole, then a line each, then how many more', () => {
    const long = 'é'.repeat(4000);
    const findings = Array.from({ length: 900 }, (_, at) =>
      sampleFinding({
        id: `F${at + 1}`,
        wordings: [{ by: 'claude', severity: 'major', title: 't', text: long }],
      }),
    );
    const leftOut = Array.from({ length: 3000 }, (_, at) => ({
      path: `dist/file-${at}.js`,
      reason: 'generated' as const,
    }));
    const comment = renderComment(sampleReview(findings, { leftOut }), words);
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(60 * 1024);
    expect(Buffer.byteLength(comment)).toBeGreaterThan(50 * 1024);
    expect(comment).toContain('<details open><summary><b>F1</b>');
    expect(comment).toContain('\n- <b>F20</b> major');
    expect(comment).toMatch(/\n\n\d{3} more: council has the whole report\./);
    expect(comment).toContain('dist/file-0.js');
    expect(comment).toMatch(/\n2\d{3} more: council has the whole report\.$/);
  });
});
