// Finds what a text takes over letter by letter: code and paths.

/** Fenced blocks, which may stay open, and spans in backticks: as many close one as opened it, in the same paragraph. */
const CODE =
  /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}(?![^\n]*`)|~{3,})[^]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$(?![^]))|$(?![^]))|(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\2(?!`)/gm;
/** An address as far as it may go, or all up to white space, quotation marks and brackets. */
const WORD = /(?<![\p{L}\p{N}])[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>]+|[^\s"'`«»“”„‘()<>[\]{}|,;!?*]{2,}/giu;
const ROOTED = /^(?:[a-z][a-z\d+.-]*:\/\/|~?[/\\]|\.{1,2}[/\\]|[a-z]:\\)./i;
/** "henry.md", "sage.test.ts:3": behind a full stop a sentence has a space, or at least a capital. */
const FILE = /^[\p{L}\p{N}_.@+-]+\.[a-z][a-z\d]{0,4}(?::\d+)*[.:]?$/u;

/** Tells whether a place lies in the code or the paths of a text, of one place after the other. `isName` tells a name in "Henry/Sage". */
export function makeLiteralFinder(
  text: string,
  isName: (word: string) => boolean,
): (place: number) => boolean {
  const paths = [...text.matchAll(WORD)].filter(([word]) => isPath(word, isName));
  const all = [...text.matchAll(CODE), ...paths].sort((a, b) => a.index - b.index);
  let next = 0;
  return (place) => {
    while (all[next] && all[next]!.index + all[next]![0].length <= place) next += 1;
    return (all[next]?.index ?? Infinity) <= place;
  };
}

function isPath(word: string, isName: (word: string) => boolean): boolean {
  if (ROOTED.test(word)) return true;
  if (!/[/\\]/.test(word)) return FILE.test(word);
  // "Henry/Sage" are two people; "src/henry" is a path.
  const parts = word.replace(/[.:]+$/, '').split(/[/\\]/);
  return !parts.every((part) => part === '' || isName(part));
}
