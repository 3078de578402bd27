// Offline panel: the reviewers for missing contents, and for claims that need a figure or a source.
import type { Document } from './document.ts';
import { classifyDocument, listSections, findPlaceholders } from './outline.ts';
import type { DecisionDocumentKind } from './outline.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import type { Language, Sentences } from './says.ts';
import { listSentences, shiftSpan } from './place.ts';

/** A decision record with status and context should also have these sections. */
const OF_RECORD: readonly { of(words: Sentences): string; pattern: RegExp }[] = [
  { of: (words) => words.decision, pattern: /d[eé]cision|outcome|résultat|resolution|proposal|choix/i },
  {
    of: (words) => words.consequences,
    pattern: /cons[eé]quen|implication|impact|trade-?offs?|outcome|results?|risk|pros and cons/i,
  },
];
/** What readers of a decision look for, with words that show it was considered. */
const ASKED: readonly {
  of(words: Sentences): string;
  kinds: readonly DecisionDocumentKind[];
  pattern: RegExp;
}[] = [
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
  const { say } = document;
  const kind = classifyDocument(document);
  const start = document.headings[0] ?? { start: 0, end: 1 };
  const texts = document.headings.map(({ text }) => text);
  const isRecord =
    kind === 'adr' &&
    texts.some((text) => /^(?:context|contexte)\b/i.test(text)) &&
    texts.some((text) => /^(?:status|statut)$/i.test(text));
  return [
    ...OF_RECORD.filter(({ pattern }) => isRecord && !texts.slice(1).some((text) => pattern.test(text))).map(
      ({ of }) =>
        locate(document, start, 'section', say.lacksSection(say.adr, of(say)), { subject: of(say) }),
    ),
    ...ASKED.filter(
      ({ kinds, pattern }) => kind !== undefined && kinds.includes(kind) && !pattern.test(document.text),
    ).map(({ of }) => locate(document, start, 'missing', say.missing(of(say)), { subject: of(say) })),
  ];
}

function findUnconsideredOptions(document: Document): Located[] {
  return listSections(document)
    .filter(
      ({ heading, text }) =>
        OPTIONS.test(heading.text) && NONE.test(text) && text.trim().split(/\s+/).length <= 8,
    )
    .map(({ heading, start }) =>
      locate(document, heading, 'none-considered', document.say.noneConsidered, {
        also: [{ start, end: start + 1 }],
      }),
    );
}

/** Finds what is missing in a decision document. */
export const completeness: Reviewer = {
  id: 'completeness',
  find: (document) =>
    [findPlaceholders, findMissingParts, findUnconsideredOptions]
      .flatMap((rule) => rule(document))
      .sort((a, b) => a.start - b.start),
};

/**
 * Words that claim a measurable quality: speed, size, reliability, ease, or praise that cannot be checked. `_`
 * stands for a space or a hyphen.
 */
const VAGUE_WORDS: Record<Language, string> = {
  en: `(?:much |far |way |dramatically |significantly |considerably )(?:more |less )?(?:faster|slower|safer|cheaper|better|worse|easier|simpler|secure|reliable|scalable|efficient|expensive|robust)
    faster cheaper blazing_fast lightning_fast low_latency high_performance highly_available highly_scalable infinitely
    scales_(?:well|linearly|easily|indefinitely) battle_tested production_ready bulletproof rock_solid seamless(?:ly)? effortless(?:ly)?
    world_class best_in_class state_of_the_art cutting_edge negligible dramatic(?:ally)? drastic(?:ally)? massively enormously
    (?:users|customers|everybody|everyone|people)_(?:will|would)_love easy_to_(?:build|use|maintain|adopt|operate) intuitive user_friendly unlimited`,
  fr: `(?:beaucoup|bien|nettement|considérablement|largement)_(?:plus|moins|mieux) plus_(?:rapides?|simples?|fiables?|sûre?s?) ultra_rapides? performante?s? très_(?:rapides?|simples?|fiables?|performante?s?|généreux)
    haute_performance évolutive?s? robustes? sans_effort intuitive?s? intuitifs? négligeables? considérables? illimitée?s? largement_suffisante?s?
    à_la_pointe drastiquement massivement faciles?_à_(?:utiliser|maintenir)`,
};
const CLAIM: Record<Language, RegExp> = { en: buildClaimPattern('en'), fr: buildClaimPattern('fr') };

function buildClaimPattern(language: Language): RegExp {
  const words = VAGUE_WORDS[language].split(/\s+(?![^(]*\))/).filter((word) => word !== '');
  const patterns = words.join('|').replaceAll('_', '[-\\s]');
  return new RegExp(`(?<![\\p{L}\\p{N}-])(?:${patterns})(?![\\p{L}\\p{N}-])`, 'iu');
}

/** Matches a number, a number word or a fraction, but not names such as "ES2015". */
const hasFigure = (text: string): boolean =>
  /(?<![\p{L}\d._/-])[~<>≤≥±+-]?[$€£]?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozens?|hundred|thousand|million|percent|half|twice|zero|none)\b/iu.test(
    text,
  );

/** Matches "Another runtime. Faster to start": a statement about another option is not a claim of the proposal. */
const isOfAnother = (text: string): boolean =>
  /^\s*(?:an?other|alternatively|a different|(?:un|une) autre|autre)(?![\p{L}])/iu.test(text);

/** Finds claims in sentences without a figure or a link. */
function findBareClaims(document: Document): Located[] {
  return listSentences(document).flatMap((sentence) => {
    const { text, start, end, block } = sentence;
    if (
      block.kind === 'heading' ||
      block.linked * 2 > block.words ||
      hasFigure(text) ||
      isOfAnother(block.text) ||
      text.trimEnd().endsWith('?')
    )
      return [];
    const match = CLAIM[document.language].exec(text);
    if (!match || document.links.some((link) => link.start >= start && link.end <= end)) return [];
    const span = shiftSpan(sentence, match.index, match.index + match[0].length);
    return [locate(document, span, 'claim', document.say.claim, { subject: match[0] })];
  });
}

/** Finds claims that cannot be checked. */
export const precision: Reviewer = { id: 'precision', find: findBareClaims };
