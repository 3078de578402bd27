// Reads the form of a text: every field that its author declares, wherever it stands.
import { rememberingNewest } from '../../../base/remember.ts';
import { declaredIn } from './form-runs.ts';
import type { Field } from './form-fields.ts';
import type { Declared } from './form-runs.ts';
import { scanForm } from './form-scan.ts';
import { blanked, withoutReasoning } from './reasoning.ts';
import type { Stretch } from './stretch.ts';

export type { Declared } from './form-runs.ts';

/** What one text says of itself. */
export interface Form {
  /** The text at its own length with nothing but its author's words to the others: no reasoning, quotations and code. */
  own: string;
  /** The fields that count, in the order in which they stand. Two that differ are both here: who uses them takes neither. */
  fields: Declared[];
  /** Where the forms stand, in order. */
  places: Stretch[];
  /** Every line, cell or object with a field in it, also where that counts for nothing. */
  found: Field[];
  /** Keys that nobody reads: in a block, or nearly the name of a field. */
  unknown: string[];
}

/** The form of a text. The newest are remembered: they must not be changed. Linear time. */
export function formOf(text: string): Form {
  return REMEMBER(text, () => {
    const shown = withoutReasoning(text);
    const scan = scanForm(shown, text);
    return {
      own: blanked(shown, scan.notOwn),
      ...declaredIn(scan),
      found: scan.places.flatMap(({ fields }) => fields),
      unknown: [...new Set(scan.unknown)],
    };
  });
}
const REMEMBER = rememberingNewest<Form>(16);
