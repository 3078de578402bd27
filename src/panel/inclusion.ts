// Offline panel: the reviewer for inclusive language.
import retextEquality from 'retext-equality';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import type { Document } from './document.ts';
import { readLanguage } from './language.ts';
import type { Hit } from './language.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';

/** Words whose technical sense is the usual one in documents about software. */
const TECHNICAL = [
  'host',
  'hosts',
  'invalid',
  'disabled',
  'pop',
  'primitive',
  'special',
  'dummy',
  'just',
  'fellowship',
];
/** Rules of retext-equality about words that tell readers it should have been easy. */
const TALKS_DOWN = new Set([
  'basically',
  'clearly',
  'easy',
  'everyone-knows',
  'obvious',
  'of-course',
  'simple',
  'straightforward',
]);
const VAGUE_LINK = /^(?:(?:click )?here|this|link|this (?:link|page)|more|read more|see (?:here|more))$/i;

function word(document: Document, hit: Hit): Located {
  const talksDown = TALKS_DOWN.has(hit.rule);
  return locate(document, hit, {
    severity: 'worth',
    rule: talksDown ? 'talks-down' : 'insensitive-word',
    subject: hit.actual,
    instead: talksDown ? [''] : hit.expected.slice(0, 4),
    advice: talksDown
      ? 'it talks down to readers who find it hard.'
      : 'may hurt or exclude readers; in other senses it may be the right word.',
  });
}

function media(document: Document): Located[] {
  const found: Located[] = [];
  visit(document.tree, (node) => {
    const span = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
    if ((node.type === 'image' || node.type === 'imageReference') && !node.alt?.trim()) {
      found.push(
        locate(document, span, {
          severity: 'worth',
          rule: 'no-image-text',
          subject: '',
          instead: [],
          advice: 'the image has no text for readers who cannot see it; describe it between the brackets.',
        }),
      );
    } else if (node.type === 'link' && VAGUE_LINK.test(toString(node).trim())) {
      found.push(
        locate(document, span, {
          severity: 'worth',
          rule: 'vague-link',
          subject: toString(node).trim(),
          instead: [],
          advice: 'a link read out on its own; let its words say where it leads.',
        }),
      );
    }
  });
  return found;
}

function find(document: Document): Located[] {
  const { hits } = readLanguage(document, [[retextEquality, { ignore: TECHNICAL, binary: true }]]);
  return [...hits.map((hit) => word(document, hit)), ...media(document)].sort((a, b) => a.start - b.start);
}

/** Wants no reader shut out. Sits only where it is named. */
export const inclusion: Reviewer = {
  id: 'inclusion',
  anyLanguage: false,
  find,
};
