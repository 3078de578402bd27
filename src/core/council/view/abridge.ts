// Shortens a contribution in others' prompts, so that one long answer does not crowd out the rest.
import { sumFigures } from '../../base/text.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import { readForm } from '../ledger/text/form.ts';
import { DEFAULT_SHOWN_BYTES } from '../state/mode.ts';
import type { CouncilState } from '../state/state.ts';

/** How much of contributions a view shows: by the mode, in full, or short after a prompt was too long. */
export type ViewExtent = 'mode' | 'full' | 'short';

/** Bytes of a contribution shown to a reader. */
export interface ShownBytes {
  others: number;
  own: number;
}

/** Bytes per contribution, after the whole prompt was too long for a model. */
const SHORT_BYTES = 2048;

/** Returns the limits for a reader. The coordinator reads everything, unless it does not fit. */
export function limitShownBytes(
  { coordinator, shown = DEFAULT_SHOWN_BYTES }: Pick<CouncilState, 'coordinator' | 'shown'>,
  reader: string,
  extent: ViewExtent = 'mode',
): ShownBytes {
  if (extent === 'short') return { others: SHORT_BYTES, own: SHORT_BYTES };
  const isAll = extent === 'full' || reader === coordinator || shown === 'all';
  return { others: isAll ? Infinity : shown, own: Infinity };
}

/** How much of a text is shown, in bytes. */
export interface Abridgement {
  shown: number;
  bytes: number;
}

/** Returns the shown part of a text; `abridged` is undefined if that is all of it. */
export function abridgeText(text: string, limit: number): { text: string; abridged?: Abridgement } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit) return { text };
  const beginning = cutBeginning(text, limit);
  const form = readForm(text)
    .fields.filter(({ start }) => start >= beginning.length)
    .map(({ start, end }) => text.slice(start, end).trim())
    .join('\n');
  const shownForm = cutBeginning(form, limit * FORM_SHARE);
  return {
    text: [beginning, '[…]', ...(form === '' ? [] : ['---', shownForm, '---'])].join('\n'),
    abridged: { shown: Buffer.byteLength(beginning), bytes },
  };
}

/** Share of the limit, added for the form: it may contain a list as long as a text. */
const FORM_SHARE = 0.25;

/** Cuts a text to a number of bytes, at a line end if one is near. */
function cutBeginning(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const most = Buffer.from(text)
    .subarray(0, limit)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  const lineEnd = most.lastIndexOf('\n');
  return lineEnd > most.length / 2 ? most.slice(0, lineEnd) : most;
}

/** Challenges shown apart from the contributions that contain them. */
interface AimedChallenge {
  by: string;
  text: string;
  claim: { id: string; text: string } | null;
}

/** Minimum bytes shown of a challenge, however many there are. */
const LEAST_OF_CHALLENGE = 200;

/** Abridges one author's challenges like one contribution: if too long together, each gets an equal share. */
export function abridgeChallenges<T extends AimedChallenge>(challenges: readonly T[], limit: number): T[] {
  const shares = new Map<string, number>();
  for (const [by, own] of Map.groupBy(challenges, (one) => one.by)) {
    const bytes = sumFigures(own.flatMap(({ text, claim }) => [text, claim?.text ?? ''].map(countBytes)));
    const share = Math.max(LEAST_OF_CHALLENGE, Math.floor(limit / own.length / 2));
    shares.set(by, bytes > limit ? share : Infinity);
  }
  return challenges.map((one) => {
    const cut = (text: string): string => abridgeText(text, shares.get(one.by)!).text;
    return { ...one, text: cut(one.text), claim: one.claim && { ...one.claim, text: cut(one.claim.text) } };
  });
}

const countBytes = (text: string): number => Buffer.byteLength(text);

/** Warns an author which part of a text others will not be shown. */
export function describeAbridgement(
  state: Pick<CouncilState, 'coordinator' | 'shown'>,
  author: string,
  text: string,
  lang: Language = 'en',
): string[] {
  const { shown = DEFAULT_SHOWN_BYTES } = state;
  const bytes = Buffer.byteLength(text);
  if (author === state.coordinator || shown === 'all' || bytes <= shown) return [];
  return [fill(loadWords(lang).view.longForOthers, { bytes, shown })];
}
