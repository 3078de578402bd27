// What the words of a form's field mean.

/** Yes or no, in the words that people use; undefined for anything else. */
export function asBoolean(value: string | string[]): boolean | undefined {
  const word = typeof value === 'string' ? bare(value).toLowerCase().replace(/[.!]$/, '') : '';
  if (['true', 'yes', 'y', 'oui', 'vrai', 'on'].includes(word)) return true;
  return ['false', 'no', 'n', 'non', 'faux', 'off'].includes(word) ? false : undefined;
}

/** The items of a list, however it is written; what says "nothing" is no item. */
export function asItems(value: string | string[]): string[] {
  const flow = typeof value === 'string' ? /^\[(.*)\]$/.exec(value.trim())?.[1] : undefined;
  const items =
    flow === undefined ? [value].flat() : (flow.match(/\s*(?:"(?:\\.|[^"\\])*"|'[^']*'|[^,]+)/g) ?? []);
  return items.map(bare).filter((item) => !NOTHING.has(item.toLowerCase().replace(/[.!]$/, '')));
}
const NOTHING = new Set([
  '',
  'none',
  'no blocking issues',
  'no blocking issue',
  'aucun point bloquant',
  'no',
  'nothing',
  'false',
  'null',
  '~',
  '-',
  '–',
  'n/a',
  'aucun',
  'aucune',
  'non',
  'rien',
  '[]',
]);

/** A share as people write it: 0.8, 0,8, .8, 80 %, 8/10; undefined for anything else. */
export function asShare(value: string): number | undefined {
  const [, number = '', of] =
    /^(\d{1,3}(?:[.,]\d+)?|[.,]\d+)[ \u00A0\u202F]*(%|\/[ ]*10{1,2})?$/.exec(bare(value)) ?? [];
  if (number === '') return undefined;
  const unit = of === undefined ? 1 : of === '%' ? 100 : Number(of.replace(/[/ ]/g, ''));
  const share = Number(number.replace(',', '.')) / unit;
  return share <= 1 ? share : undefined;
}

/** A value without the quotes, the emphasis or the backticks around it. */
export function bare(value: string): string {
  // What is struck through is not said.
  let words = value.replace(/~~[^~]*~~/g, '').trim();
  for (;;) {
    const inside = WRAPPED.exec(words)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (inside === undefined) return words;
    words = inside.trim();
  }
}
const WRAPPED =
  /^(?:\*\*([^*]+)\*\*|__([^_]+)__|\*([^*]+)\*|_([^_]+)_|`([^`]+)`|"([^"]+)"|'([^']+)'|“([^“”]+)”|«([^«»]+)»|‘([^‘’]+)’)$/;
