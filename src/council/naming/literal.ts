// Finds what a text takes over letter by letter: code and paths.

/** A stretch of a text, in UTF-16 units. */
export interface Literal {
  start: number;
  end: number;
}

const FENCE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})(.*)$/;
const EXTENSIONS =
  'md|mdx|txt|rst|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|csv|tsv|xml|html?|s?css|[cm]?[jt]sx?|py|rb|go|rs|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|lua|pl|sh|bash|zsh|ps1|sql|log|pdf|png|jpe?g|svg|docx?|xlsx?';
/** An address as far as it may go, or all up to white space, quotation marks and brackets. */
const WORD = /(?<![\p{L}\p{N}])[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>]+|[^\s"'`«»“”„‘()<>[\]{}|,;!?*]{2,}/giu;
const FILE = new RegExp(String.raw`^[\p{L}\p{N}_.@+-]+\.(?:${EXTENSIONS})(?::\d+)*[.:]?$`, 'iu');

/** The fenced blocks, the spans in backticks and the paths of a text, in order. `isName` tells a name in "Henry/Sage". Linear time. */
export function literalsIn(text: string, isName: (word: string) => boolean): Literal[] {
  const code = codeIn(text);
  const paths = [...text.matchAll(WORD)].flatMap(({ 0: word, index }): Literal[] =>
    isPath(word, isName) ? [{ start: index, end: index + word.length }] : [],
  );
  const all = [...code, ...paths].sort((a, b) => a.start - b.start);
  // Without those inside another one.
  let end = 0;
  return all.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** Whether a place lies in one of these stretches, which are in order. */
export function isInside(stretches: readonly Literal[], place: number): boolean {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle]!.end > place) high = middle;
    else low = middle + 1;
  }
  return (stretches[low]?.start ?? Infinity) <= place;
}

function isPath(word: string, isName: (word: string) => boolean): boolean {
  if (/^(?:[a-z][a-z\d+.-]*:\/\/|~?[/\\]|\.{1,2}[/\\]|[a-z]:\\)./i.test(word)) return true;
  if (!/[/\\]/.test(word)) return FILE.test(word);
  // "Henry/Sage" are two people; "src/henry" is a path.
  return !word
    .replace(/[.:]+$/, '')
    .split(/[/\\]/)
    .every((part) => part === '' || isName(part));
}

function codeIn(text: string): Literal[] {
  const found: Literal[] = [];
  let open: { marker: string; start: number } | undefined;
  let proseFrom = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const [, marker = '', rest = ''] = FENCE.exec(line) ?? [];
    const end = at + line.length;
    if (open) {
      if (marker.startsWith(open.marker) && rest.trim() === '') {
        found.push({ start: open.start, end });
        proseFrom = end;
        open = undefined;
      }
    } else if (marker !== '' && !(marker.startsWith('`') && rest.includes('`'))) {
      found.push(...spansIn(text, proseFrom, at));
      open = { marker, start: at };
    }
    at = end + 1;
  }
  return [
    ...found,
    ...(open ? [{ start: open.start, end: text.length }] : spansIn(text, proseFrom, text.length)),
  ];
}

/** Spans in backticks: as many close one as opened it, in the same paragraph. */
function spansIn(text: string, from: number, to: number): Literal[] {
  const found: Literal[] = [];
  const opened = new Map<number, number>();
  for (const { 0: run, index } of text.slice(from, to).matchAll(/`+|\n[ \t]*\n/g)) {
    const start = opened.get(run.length);
    if (!run.startsWith('`')) opened.clear();
    else if (start === undefined) opened.set(run.length, from + index);
    else {
      found.push({ start, end: from + index + run.length });
      opened.clear();
    }
  }
  return found;
}
