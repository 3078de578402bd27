// What views show of a contribution to others: neither its reasoning nor how sure its author is.
import { fieldNamed } from '../ledger/text/form-names.ts';
import { asShare } from '../ledger/text/form-value-words.ts';
import { readForm } from '../ledger/text/form.ts';
import type { Field } from '../ledger/text/form.ts';
import { readLooseJson } from '../ledger/text/loose-json.ts';
import { withoutThoughts } from '../ledger/text/reasoning.ts';

/** A contribution as others see it. The file keeps it word for word. */
export const shownToOthers = (text: string): string => withoutConfidence(withoutThoughts(text));

/**
 * A text without its form's `confidence`, so that readers do not just follow the most confident
 * voice. The same word in prose stays, like everything else.
 */
export function withoutConfidence(text: string): string {
  const { fields, found } = readForm(text);
  const isShare = ({ value }: Field) => typeof value === 'string' && asShare(value) !== undefined;
  const sure = [
    ...fields.filter(({ name, isMember }) => name === 'confidence' && !isMember),
    ...found.filter((field) => field.isMember === true || (field.name === 'confidence' && isShare(field))),
  ];
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, isMember } of sure.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(text.slice(from, start), isMember ? withoutMember(text.slice(start, end)) : '');
    from = end;
  }
  return parts.join('') + text.slice(from);
}

const isConfidence = (key: string): boolean => fieldNamed(key) === 'confidence';

/** JSON written anew where it tells: a key may stand there twice, or in escapes. */
function withoutMember(object: string): string {
  let isTelling = false;
  const told = JSON.stringify(readLooseJson(object, 0)?.data ?? {}, (key, value: unknown) => {
    isTelling ||= isConfidence(key);
    return isConfidence(key) ? undefined : value;
  });
  return isTelling ? told : object;
}
