// Offline panel: the reviewer for the structure of a document.
import type { Document, Heading } from './document.ts';
import { links } from './structure-links.ts';
import { lint } from './structure-lint.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';

const LONG_SECTION = 600;
const LONG_PARAGRAPH = 150;
/** A shorter text needs no heading. */
const NEEDS_HEADINGS = 150;

const INSTALL = /\b(?:install|installation|installing|setup)\b/i;
const EXAMPLE = /\b(?:usage|use|using|examples?|quick ?start|getting started|tutorial|how to|api)\b/i;

function title(document: Document): Located[] {
  const top = document.headings.filter((heading) => heading.depth === 1);
  const elsewhere =
    /<h1[\s>]/i.test(document.text) || /^---\r?\n(?:.*\r?\n)*?title:/.test(document.text.slice(0, 5000));
  const second = top[1];
  if (second) {
    return [
      locate(document, second, {
        severity: 'minor',
        rule: 'several-titles',
        subject: second.text,
        instead: [],
        advice: `${top.length} headings of rank 1; keep one as the title and put the others a rank lower.`,
      }),
    ];
  }
  if (top.length > 0 || elsewhere || document.words === 0) return [];
  const start = Math.max(0, document.parsed.search(/\S/));
  const span = { start, end: start + 1 };
  if (document.headings.length > 0) {
    return [
      locate(document, span, {
        severity: 'minor',
        rule: 'no-title',
        subject: '',
        instead: [],
        advice: 'no heading of rank 1; give the document a title.',
      }),
    ];
  }
  if (document.words < NEEDS_HEADINGS) return [];
  return [
    locate(document, span, {
      severity: 'major',
      rule: 'no-title',
      subject: '',
      instead: [],
      advice: `${document.words} words without a title or any heading; a reader cannot find a part of it.`,
    }),
  ];
}

function outline(document: Document): Located[] {
  const found: Located[] = [];
  for (const section of sections(document)) {
    const { heading, words, empty } = section;
    const subject = heading.text;
    if (empty)
      found.push(
        locate(document, heading, {
          severity: 'minor',
          rule: 'empty-section',
          subject,
          instead: [],
          advice: 'nothing stands under this heading; fill it or take it out.',
        }),
      );
    if (words > LONG_SECTION)
      found.push(
        locate(document, heading, {
          severity: 'minor',
          rule: 'long-section',
          subject,
          instead: [],
          advice: `${words} words before the next heading; more than ${LONG_SECTION} call for headings of their own.`,
        }),
      );
  }
  return found;
}

function paragraphs(document: Document): Located[] {
  return document.blocks
    .filter((block) => block.words > LONG_PARAGRAPH && block.linked * 2 <= block.words)
    .map((block) => {
      const start = block.start + Math.max(0, block.text.search(/\S/));
      return locate(
        document,
        { start, end: start + 1 },
        {
          severity: 'minor',
          rule: 'long-paragraph',
          subject: '',
          instead: [],
          advice: `a paragraph of ${block.words} words; more than ${LONG_PARAGRAPH} read better as two, or as a list.`,
        },
      );
    });
}

function code(document: Document): Located[] {
  return document.tree.children.flatMap((node) => {
    const start = node.position?.start.offset ?? 0;
    const fenced =
      node.type === 'code' && !node.lang && /^(?:```|~~~)/.test(document.text.slice(start, start + 3));
    return fenced
      ? [
          locate(
            document,
            { start, end: start + 3 },
            {
              severity: 'note',
              rule: 'code-language',
              subject: '',
              instead: [],
              advice: 'a code block without a language; name it after the fence ("text" if it has none).',
            },
          ),
        ]
      : [];
  });
}

function example(document: Document): Located[] {
  const install = document.headings.find((heading) => INSTALL.test(heading.text));
  const shown = document.headings.some((heading) => EXAMPLE.test(heading.text));
  if (!install || shown || !document.english) return [];
  return [
    locate(document, install, {
      severity: 'minor',
      rule: 'no-example',
      subject: install.text,
      instead: [],
      advice: 'the document tells how to install, and no heading tells how to use; show one example.',
    }),
  ];
}

function find(document: Document): Located[] {
  const found = [title, outline, paragraphs, code, example, lint, links].flatMap((rule) => rule(document));
  return found.sort((a, b) => a.start - b.start);
}

function blocking(document: Document): string[] {
  if (document.binary) return ['The brief is not text: it looks like a binary file.'];
  return document.text.trim() === '' ? ['The brief is empty: it has no heading and no text.'] : [];
}

/** Wants a document in which every part can be found, in any language. */
export const structure: Reviewer = {
  id: 'structure',
  title: 'Structure',
  anyLanguage: true,
  sources: 'remark-lint, and a look at titles, sections, code blocks and anchors',
  find,
  blocking,
};

/** A heading with what stands between it and the next heading. */
interface Section {
  heading: Heading;
  words: number;
  /** True when nothing follows before a heading of the same or a higher rank, or the end. */
  empty: boolean;
}

/** The sections under the headings that are not inside a quotation or list. */
function sections(document: Document): Section[] {
  const nodes = document.tree.children;
  const byStart = new Map(document.headings.map((heading) => [heading.start, heading]));
  const found: Section[] = [];
  let open: Section | undefined;
  let block = 0;
  const close = (until: number): void => {
    while ((document.blocks[block]?.start ?? Infinity) < until) {
      const words = document.blocks[block]?.kind === 'paragraph' ? (document.blocks[block]?.words ?? 0) : 0;
      if (open) open.words += words;
      block += 1;
    }
  };
  for (const node of nodes) {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'heading') {
      close(start);
      const heading = byStart.get(start);
      if (open && node.depth > open.heading.depth) open.empty = false;
      if (!heading) continue;
      open = { heading, words: 0, empty: true };
      found.push(open);
    } else if (
      open &&
      node.type !== 'definition' &&
      !(node.type === 'html' && /^<!--[^]*-->$/.test(node.value))
    ) {
      open.empty = false;
    }
  }
  close(Infinity);
  return found;
}
