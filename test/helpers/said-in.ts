// What a text says behind the name of a position or a vote, found without the product's reader: it checks what that has read.

const KEY = 'position|vote|new|stimme|voto|voter|投票|立場|立场';
/** "vote: P2", "**Vote** – P2", "| Vote | P2 |", `"vote": "P2"`, "<vote>P2", and a heading or a key with its value on the next line. */
const SAID = new RegExp(
  `(?:^|[\\s"'*_\`|<({])(?:${KEY})["'*_\`)]*\\s*(?:[:：=|>]|[–—-]\\s)[*_]*[ \\t]*(.*)$|^\\s*#+\\s*(?:my |final )?(?:${KEY})\\s*$`,
  'iu',
);

const bare = (words: string): string =>
  words
    .replace(/<\/?[\w-]+>/g, ' ')
    .replace(/[*_`"'“”«»|~{}\\,]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.。]+$/, '')
    .toLowerCase();

/** Everything that stands behind such a name, in small letters and without marks around it; never empty words. */
export function saidIn(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const found = SAID.exec(line);
    if (!found) return [];
    const words = bare(found[1] ?? '') || bare(valueBelow(lines.slice(at + 1)));
    return words === '' || /^-+$/.test(words) ? [] : [words];
  });
}

/** The next line with words, unless it is another key or ends the form. */
function valueBelow(lines: readonly string[]): string {
  const next = lines.find((line) => line.trim() !== '') ?? '';
  return /^\s*(?:---|#|[\w"'*`-]+\s*:)/.test(next) ? '' : next.replace(/^\s*[-*]\s+/, '');
}

/** What was recorded of a text, as markers and answers of council have it. */
export interface Recorded {
  position?: string | null;
  vote?: string | null;
}

/** Whether a text says what was recorded of it, and says nothing else behind such a name. */
export function holds(text: string, { position, vote }: Recorded): boolean {
  const sentence = bare(position ?? '');
  const number = vote?.toLowerCase();
  const isIt = (words: string): boolean =>
    words === sentence ||
    (number !== undefined &&
      words
        .replace(/[^\p{L}\p{N} ]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim() === number) ||
    (number !== undefined && words.startsWith(number) && words.endsWith(sentence));
  const said = saidIn(text);
  return said.length > 0 && said.every(isIt);
}
