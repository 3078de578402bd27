// Offline panel: the reviewer for claims that a figure or a source would settle.
import type { Document } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { says } from './says.ts';
import type { Language } from './says.ts';
import { listSentences } from './sentences.ts';

/** Words that promise a measure: speed, size, trust, ease, or praise that cannot be checked. `_` is a space or a hyphen. */
const WORDS: Record<Language, string> = {
  en: `(?:much |far |way |dramatically |significantly |considerably )(?:more |less )?(?:faster|slower|safer|cheaper|better|worse|easier|simpler|secure|reliable|scalable|efficient|expensive|robust)
    faster cheaper blazing_fast lightning_fast low_latency high_performance highly_available highly_scalable infinitely
    scales_(?:well|linearly|easily|indefinitely) battle_tested production_ready bulletproof rock_solid seamless(?:ly)? effortless(?:ly)?
    world_class best_in_class state_of_the_art cutting_edge negligible dramatic(?:ally)? drastic(?:ally)? massively enormously
    (?:users|customers|everybody|everyone|people)_(?:will|would)_love easy_to_(?:build|use|maintain|adopt|operate) intuitive user_friendly unlimited`,
  fr: `(?:beaucoup|bien|nettement|considérablement|largement)_(?:plus|moins|mieux) plus_(?:rapides?|simples?|fiables?|sûre?s?) ultra_rapides? performante?s? très_(?:rapides?|simples?|fiables?|performante?s?|généreux)
    haute_performance évolutive?s? robustes? sans_effort intuitive?s? intuitifs? négligeables? considérables? illimitée?s? largement_suffisante?s?
    à_la_pointe drastiquement massivement faciles?_à_(?:utiliser|maintenir)`,
};
const CLAIM: Record<Language, RegExp> = { en: claim('en'), fr: claim('fr') };

function claim(language: Language): RegExp {
  const words = WORDS[language].split(/\s+(?![^(]*\))/).filter((word) => word !== '');
  const patterns = words.join('|').replaceAll('_', '[-\\s]');
  return new RegExp(`(?<![\\p{L}\\p{N}-])(?:${patterns})(?![\\p{L}\\p{N}-])`, 'iu');
}

/** A number, a number word or a share; names such as "ES2015" are none. */
const hasFigure = (text: string): boolean =>
  /(?<![\p{L}\d._/-])[~<>≤≥±+-]?[$€£]?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozens?|hundred|thousand|million|percent|half|twice|zero|none)\b/iu.test(
    text,
  );

/** "Another runtime. Faster to start": what is said of another option is no promise of the proposal. */
const isOfAnother = (text: string): boolean =>
  /^\s*(?:an?other|alternatively|a different|(?:un|une) autre|autre)(?![\p{L}])/iu.test(text);

/** Claims in sentences that hold neither a figure nor a link. */
function claims(document: Document): Located[] {
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
    const span = { start: start + match.index, end: start + match.index + match[0].length };
    return [
      locate(document, span, {
        severity: 'worth',
        rule: 'claim',
        subject: match[0],
        advice: says(document.language).claim,
      }),
    ];
  });
}

/** Wants claims that can be checked. */
export const precision: Reviewer = { id: 'precision', find: claims };
