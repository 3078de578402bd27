// Removes the stated confidence from contributions in views.
import { startsWithFrontMatter } from '../../base/front-matter-block.ts';
import { formOf } from '../ledger/text/form.ts';
import { fieldNamed } from '../ledger/text/form-names.ts';
import { looseObject } from '../ledger/text/loose-json.ts';
import type { Stretch } from '../ledger/text/stretch.ts';

/**
 * A contribution as views show it: without the `confidence` of its form, so that nobody follows the most assured voice.
 * All else stays as it is, and so does the same word outside the form.
 */
export function withoutConfidence(text: string): string {
  const form = formOf(text);
  if (!form) return text;
  const block = form.json ?? (startsWithFrontMatter(text) ? form.yaml : undefined);
  const rest = form.fields
    .filter(({ name, start }) => name === 'confidence' && start >= (block?.end ?? 0))
    .toSorted((a, b) => b.start - a.start)
    .reduce((words, { start, end }) => words.slice(0, start) + words.slice(end), text);
  return block ? replaced(rest, block, form.json ? withoutMember : withoutKey) : rest;
}

const replaced = (text: string, { start, end }: Stretch, by: (part: string) => string): string =>
  text.slice(0, start) + by(text.slice(start, end)) + text.slice(end);

const isConfidence = (key: string): boolean => fieldNamed(key) === 'confidence';

/** JSON written anew: a key may stand there twice, or in escapes. */
function withoutMember(object: string): string {
  const members = Object.entries(looseObject(object, 0, object.length)?.data ?? {});
  return JSON.stringify(Object.fromEntries(members), (key, value: unknown) =>
    isConfidence(key) ? undefined : value,
  );
}

/** The key of a line of YAML: behind a mark for a key or an item, tags and anchors; bare, in quotes or emphasised. */
const KEY =
  /^[ \t]*(?:[?-][ \t]+)?(?:[!&]\S*[ \t]+)*("(?:\\.|[^"\\])*"|'[^']*'|[^"':{}[\],#][^:{}]*?)[ \t\u00A0\u202F]*(?::|$)/su;

/** A key in escapes may be any word. */
function isConfidenceLine(line: string): boolean {
  const key = KEY.exec(line.trimEnd().slice(0, 200))?.[1];
  return key !== undefined && (isConfidence(key) || (key.startsWith('"') && key.includes('\\')));
}

function withoutKey(yaml: string): string {
  // A mapping in braces may have all its keys on one line.
  if (/^\s*\{/.test(yaml))
    return yaml.replace(
      /(["']?)([\p{L}][\p{L} _-]{2,29})\1[ \t\u00A0\u202F]*:[^,}\n]*,?[ \t]*/gu,
      (pair, _, key: string) => (isConfidence(key.trim()) ? '' : pair),
    );
  const lines = yaml.split(/(?<=\n)/);
  const depthOf = (line: string) => line.search(/\S/);
  // Lines further right than the mapping's first key belong to a value.
  const base = depthOf(lines.find((line) => /^\s*[^\s#]/.test(line)) ?? '');
  let dropping = false;
  return lines
    .filter((line) => {
      const depth = depthOf(line);
      if (depth === -1) return true;
      dropping =
        (dropping && (depth > base || /^\s*[-:]/.test(line))) || (depth === base && isConfidenceLine(line));
      return !dropping;
    })
    .join('');
}
