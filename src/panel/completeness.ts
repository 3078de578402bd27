// Offline panel: the reviewer for what a decision document should hold and does not.
import type { Document } from './document.ts';
import { classifyDocument, listSections } from './outline.ts';
import type { Kind } from './outline.ts';
import { placeholders } from './placeholders.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { says } from './says.ts';

type Words = ReturnType<typeof says>;

/** Where a record of a decision has status and context, it has these. */
const OF_RECORD: readonly { of(words: Words): string; pattern: RegExp }[] = [
  { of: (words) => words.decision, pattern: /d[eé]cision|outcome|résultat|resolution|proposal|choix/i },
  {
    of: (words) => words.consequences,
    pattern: /cons[eé]quen|implication|impact|trade-?offs?|outcome|results?|risk|pros and cons/i,
  },
];
/** What readers of a decision ask for, and the words that show it was thought of. */
const ASKED: readonly { of(words: Words): string; kinds: readonly Kind[]; pattern: RegExp }[] = [
  {
    of: (words) => words.alternatives,
    kinds: ['adr', 'rfc', 'brief'],
    pattern:
      /alternative|option|instead of|rather than|considered|compared|rejected|versus|\bvs\b|plutôt que|envisag|écart/i,
  },
  {
    of: (words) => words.cost,
    kinds: ['rfc', 'prd', 'brief'],
    pattern:
      /cost|price|budget|effort|[€$£]|days? of work|person-|coût|prix|charge|\bjours?\b.{0,20}(?:travail|homme)/i,
  },
  {
    of: (words) => words.risk,
    kinds: ['rfc', 'prd', 'brief'],
    pattern: /risk|drawback|downside|concern|could go wrong|fail|disadvantage|risque|inconvénient|danger/i,
  },
  {
    of: (words) => words.rollback,
    kinds: ['rfc', 'prd'],
    pattern:
      /roll(?:ed|ing)? ?back|revert|undo|back out|downgrade|turn(?:ed)? off|feature (?:flag|gate)|retour arrière|revenir|annul/i,
  },
  {
    of: (words) => words.owner,
    kinds: ['prd', 'brief', 'rfc'],
    pattern: /owner|author|respons|decid|lead\b|contact|team|auteur|décid|équipe|pilot/i,
  },
];
const OPTIONS = /alternative|(?:considered|other) options|options (?:considered|envisag)|autres options/i;
const NONE =
  /^\W*(?:none|no|n\/a|nothing|aucun|aucune|néant|sans objet|(?:we )?(?:did not|didn['’]t|have not) (?:consider|look)|not considered|nous n['’]avons pas)(?![\p{L}])/iu;

function findMissingParts(document: Document): Located[] {
  const kind = classifyDocument(document);
  const words = says(document.language);
  const start = document.headings[0] ?? { start: 0, end: 1 };
  const texts = document.headings.map(({ text }) => text);
  const isRecord =
    kind === 'adr' &&
    texts.some((text) => /^(?:context|contexte)\b/i.test(text)) &&
    texts.some((text) => /^(?:status|statut)$/i.test(text));
  return [
    ...OF_RECORD.filter(({ pattern }) => isRecord && !texts.slice(1).some((text) => pattern.test(text))).map(
      ({ of }) =>
        locate(document, start, {
          severity: 'first',
          rule: 'section',
          subject: of(words),
          advice: words.lacksSection(words.adr, of(words)),
        }),
    ),
    ...ASKED.filter(
      ({ kinds, pattern }) => kind !== undefined && kinds.includes(kind) && !pattern.test(document.text),
    ).map(({ of }) =>
      locate(document, start, {
        severity: 'worth',
        rule: 'missing',
        subject: of(words),
        advice: words.missing(of(words)),
      }),
    ),
  ];
}

function noneConsidered(document: Document): Located[] {
  return listSections(document)
    .filter(
      ({ heading, text }) =>
        OPTIONS.test(heading.text) && NONE.test(text) && text.trim().split(/\s+/).length <= 8,
    )
    .map(({ heading, start }) =>
      locate(document, heading, {
        severity: 'worth',
        rule: 'none-considered',
        advice: says(document.language).noneConsidered,
        also: [{ start, end: start + 1 }],
      }),
    );
}

/** Wants everything in a decision document that its readers will ask for. */
export const completeness: Reviewer = {
  id: 'completeness',
  find: (document) =>
    [placeholders, findMissingParts, noneConsidered]
      .flatMap((rule) => rule(document))
      .sort((a, b) => a.start - b.start),
};
