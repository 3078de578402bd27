// Removes the stated confidence from contributions in views.
import { parseJsonSafely } from '../../base/text.ts';
import { formOf } from '../ledger/text/form.ts';
import { fieldNamed } from '../ledger/text/form-lines.ts';

/**
 * A contribution as views show it: without the `confidence` of its form, so that nobody follows the most assured voice.
 * All else stays as it is, and so does the same word outside the form.
 */
export function withoutConfidence(text: string): string {
  const form = formOf(text);
  if (!form) return text;
  const written = text.slice(form.start, form.end);
  const object = /^\s*(?:[`~]{3,}[^\n]*\n)?\s*(\{[^]*\})/.exec(written)?.[1];
  if (form.yaml === null && object)
    return text.slice(0, form.start) + withoutMember(written, object) + text.slice(form.end);
  if (form.yaml && /^\uFEFF?---[ \t]*\r?\n$/.test(text.slice(0, form.yaml.start))) {
    const { start, end } = form.yaml;
    return text.slice(0, start) + withoutKey(text.slice(start, end)) + text.slice(end);
  }
  return form.fields
    .filter(({ name }) => name === 'confidence')
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** JSON written anew: a key may stand there twice, or in escapes. */
function withoutMember(written: string, object: string): string {
  const data = parseJsonSafely(object);
  if (typeof data !== 'object' || data === null) return written;
  const kept = Object.entries(data).filter(([key]) => fieldNamed(key) !== 'confidence');
  return written.replace(object, () => JSON.stringify(Object.fromEntries(kept)));
}

const KEY =
  /^[ \t]*(?:\?[ \t]+|-[ \t]+)?(?:[!&]\S*[ \t]+)*(["'*_`]{0,3})(?:(?:my )?confidence(?:[ _-]level)?|confiance|assurance|certitude)\1[ \t\u00A0\u202F]*(?::.*)?$/is;
/** A key in escapes may be any word. */
const IN_ESCAPES = /^[ \t]*(?:\?[ \t]+)?(?:[!&]\S*[ \t]+)*"[^"]*\\[^"]*"[ \t]*:/;

function withoutKey(yaml: string): string {
  // A mapping in braces may have all its keys on one line.
  if (/^\s*\{/.test(yaml))
    return yaml.replace(
      /(["']?)\b(?:confidence(?:[ _-]level)?|confiance|assurance|certitude)\1[ \t\u00A0]*:[^,}\n]*,?[ \t]*/gi,
      '',
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
        (dropping && (depth > base || /^\s*[-:]/.test(line))) ||
        (depth === base && (KEY.test(line.trimEnd()) || IN_ESCAPES.test(line)));
      return !dropping;
    })
    .join('');
}
