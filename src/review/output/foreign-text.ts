// Makes reviewers' texts harmless in a GitHub comment: no mentions, links or HTML.
import { renderCodeBlock } from '../../core/archive/embed-markdown.ts';
import { cleanForTerminal } from '../../core/base/terminal.ts';
import { toOneLine } from '../../core/base/text.ts';
import { toSafeBeginning } from '../../core/council/document/markers.ts';

/** Renders paragraphs and code of a foreign text as Markdown, cut to `max` characters. */
export function renderForeignText(text: string, max: number): string {
  const shown: string[] = [];
  let code: string[] = [];
  let fence = '';
  const closeCode = (): void => {
    // On its own line, whatever precedes it: a fence in the middle of a line does not count.
    shown.push(`\n${renderForeignCode(code.join('\n'))}`);
    [code, fence] = [[], ''];
  };
  for (const line of cutText(text, max)
    .trim()
    .split(/\r\n|\r|\n/)) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (marks === '') shown.push(renderForeignLine(line));
      else fence = marks;
    } else if (marks.startsWith(fence) && line.trim() === marks) closeCode();
    else code.push(line);
  }
  if (fence !== '') closeCode();
  return shown.join('\n');
}

/** Renders code in a fence that its content cannot close. */
export const renderForeignCode = (code: string): string => renderCodeBlock(cleanForTerminal(code), '');

/** Renders one line as Markdown. Text between two backticks stays code. */
export const renderForeignLine = (line: string, max = 2000): string =>
  cutText(line, max)
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? renderCodeSpan(part.slice(1, -1)) : renderWords(part)))
    .join('');

const renderCodeSpan = (code: string): string => {
  const line = toOneLine(code, 2000);
  return line === '' ? '' : `\`${line}\``;
};

function renderWords(text: string): string {
  const words = withoutPings(toSafeBeginning(text.replaceAll('&', '&amp;'), 20_000));
  return (/^\s/.test(text) ? ' ' : '') + words + (/\S\s+$/.test(text) ? ' ' : '');
}

/** Renders one line as HTML for a summary, where Markdown has no effect. */
export const renderForeignHtml = (text: string): string =>
  withoutPings(toOneLine(text, 200).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`));

/**
 * Breaks mentions, issue references and addresses with a zero-width space. GitHub looks for them after
 * decoding entities, so escaping the character itself would not help.
 */
const withoutPings = (text: string): string =>
  text.replace(/@|(?<!&)#(?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)/gi, (sign) => `${sign}&#8203;`);

const cutText = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
