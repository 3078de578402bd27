// Removes the stated confidence from contributions in views.
import { formOf } from '../ledger/text/form.ts';

/**
 * A contribution as views show it: without the `confidence` of its form, so that nobody follows the most assured voice.
 * All else stays as it is, and so does the same word outside the form.
 */
export function withoutConfidence(text: string): string {
  const form = formOf(text);
  const written = form?.fields.filter(({ name }) => name === 'confidence') ?? [];
  const isFrontMatter = form?.yaml && /^\uFEFF?---[ \t]*\r?\n$/.test(text.slice(0, form.yaml.start));
  if (form?.yaml && isFrontMatter) {
    const { start, end } = form.yaml;
    return text.slice(0, start) + withoutKey(text.slice(start, end)) + text.slice(end);
  }
  return written
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

const KEY = /^[ \t]*(?:\?[ \t]+)?(["']?)(?:confidence|confiance|assurance|certitude)\1[ \t]*(?::.*)?$/i;

function withoutKey(yaml: string): string {
  // A mapping in braces may have all its keys on one line.
  if (/^\s*\{/.test(yaml)) return yaml.replace(/(["']?)\bconfidence\1[ \t]*:[^,}\n]*,?[ \t]*/gi, '');
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
        (dropping && (depth > base || /^\s*[-:]/.test(line))) || (depth === base && KEY.test(line.trimEnd()));
      return !dropping;
    })
    .join('');
}
