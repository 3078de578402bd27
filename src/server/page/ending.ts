// What a council came to, in one plain sentence: on the page of a seat that is over, and in the list of archives.
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { describeOutcome } from '../../core/archive/decision-section.ts';
import { oneLine } from '../../core/base/text.ts';
import type { Words } from '../../core/base/words/words.ts';
import { formatShownName } from './show.ts';

/** A position of many words is cut. */
const LONGEST = 300;

export const describeEnding = (meta: ArchiveMeta, w: Words): string =>
  describeOutcome(meta, w, {
    name: (id) => formatShownName(meta, id),
    text: (words) => oneLine(words, LONGEST),
  });
