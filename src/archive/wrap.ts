import { forTerminal, styled as inStyle } from '../base/terminal.ts';

export type Style = 'bold' | 'italic' | 'strikethrough' | 'underline' | 'cyan' | 'dim';

/** A piece of text with the styles it is shown in; `breaks` ends the line after it. */
export interface Run {
  text: string;
  styles: Style[];
  breaks?: true;
}

/** Runs that touch each other and stay on one line. */
export type Word = Run[];
export type Line = Word[];

const WIDE =
  /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns of a terminal a text takes: East Asian characters and emoji take two, combining marks none. */
export function columns(text: string): number {
  if (/^[ -~\u00A0-\u02FF]*$/.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemes.segment(text))
    sum += WIDE.test(segment) ? 2 : /^[\p{M}\p{Cf}]+$/u.test(segment) ? 0 : 1;
  return sum;
}

export const lineColumns = (line: Line): number =>
  line.reduce((sum, word) => sum + wordColumns(word), Math.max(0, line.length - 1));

/** Lines of at most `width` columns. A longer word has a line of its own, or is cut where `cut` is set. */
export function wrap(runs: Run[], width: number, { cut = false } = {}): Line[] {
  const lines: Line[] = [[]];
  let used = 0;
  for (const word of words(runs).flatMap((w) => (cut && w !== 'break' ? pieces(w, width) : [w]))) {
    const line = lines.at(-1)!;
    const needed = word === 'break' ? 0 : wordColumns(word);
    if (word === 'break' || (line.length > 0 && used + 1 + needed > width)) {
      lines.push(word === 'break' ? [] : [word]);
      used = needed;
    } else {
      used += needed + (line.length > 0 ? 1 : 0);
      line.push(word);
    }
  }
  return lines;
}

/** A line as it goes to the terminal, with the codes of its styles. */
export function paint(line: Line, color: boolean): string {
  return line.map((word) => word.map((run) => styled(run.text, run.styles, color)).join('')).join(' ');
}

export function styled(text: string, styles: Style[], color: boolean): string {
  return color && styles.length > 0 ? inStyle(styles, text, { validateStream: false }) : text;
}

const wordColumns = (word: Word): number => word.reduce((sum, run) => sum + columns(run.text), 0);

function words(runs: Run[]): (Word | 'break')[] {
  const found: (Word | 'break')[] = [];
  let open: Word = [];
  const end = (): void => {
    if (open.length > 0) found.push(open);
    open = [];
  };
  for (const { text, styles, breaks } of runs) {
    // What is not printed takes no room.
    for (const part of forTerminal(text).split(/(\s+)/)) {
      if (part.trim() !== '') open.push({ text: part, styles });
      else if (part !== '') end();
    }
    if (!breaks) continue;
    end();
    found.push('break');
  }
  end();
  return found;
}

function pieces(word: Word, width: number): Word[] {
  if (wordColumns(word) <= width) return [word];
  const found: Word[] = [[]];
  let used = 0;
  for (const { text, styles } of word) {
    for (const { segment } of graphemes.segment(text)) {
      const needed = columns(segment);
      if (used > 0 && used + needed > width) {
        found.push([]);
        used = 0;
      }
      found.at(-1)!.push({ text: segment, styles });
      used += needed;
    }
  }
  return found;
}
