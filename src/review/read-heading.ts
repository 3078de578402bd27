// Reads the heading of a finding: severity, category and title, or the severity of all findings below it.
import { findCategory, findSeverity } from './finding-words.ts';
import type { Category, Severity } from './report.ts';

/** An item of a list that is in no other. */
export const LIST_ITEM = /^(?:[-*+]|\d+[.)])[ \t]+(.+)$/;

export const plainText = (text: string): string =>
  text
    .replace(/[*_`]{2,}/g, '')
    .replace(/[ \t]+#+$/, '')
    .trim();

/** `major, concurrency: the title`: severity and category before the first colon or dash, in any order, or in brackets. */
export function readHead(
  head: string,
  shapes: readonly RegExp[] = HEAD_SHAPES,
): { severity?: Severity; category?: Category; title: string } {
  const numbered = head.replace(/^(?:F?\d+\s*[.:)–—-]\s*)/u, '');
  for (const shape of shapes) {
    const { before = '', after = '', title = after } = shape.exec(numbered)?.groups ?? {};
    const read = readLabels(before);
    if (read.severity !== undefined || read.category !== undefined) return { ...read, title };
  }
  return { title: numbered };
}

/** A heading with its labels, from the usual one to the rare ones. */
export const HEAD_SHAPES = [
  /^(?<before>[^:：]{1,60})[:：]\s*(?<after>.*)$/u,
  /^(?<before>[^–—-]{1,30}?)\s[–—-]\s+(?<after>.*)$/u,
  /^\[(?<before>[^\]]{1,60})\]\s*(?<after>.*)$/u,
  /^(?<title>.*\S)\s*[([](?<before>[^()[\]]{1,60})[)\]]$/u,
];

function readLabels(before: string): { severity?: Severity; category?: Category } {
  const words = before.split(/[\s,/()[\]|–—]+|\s-\s/u).filter(Boolean);
  const severity = words.map(findSeverity).find((one) => one !== undefined);
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`);
  const category = [...pairs, ...words].map(findCategory).find((one) => one !== undefined);
  return { ...(severity && { severity }), ...(category && { category }) };
}

/** The severity that a heading such as `Minor issues` gives to all below it. A longer one may say the opposite. */
export function readLabel(head: string): Severity | undefined {
  const [first = '', ...others] = head.split(/[^\p{L}]+/u).filter(Boolean);
  return others.length > 1 ? undefined : (findSeverity(first) ?? findSeverity(first.replace(/s$/i, '')));
}
