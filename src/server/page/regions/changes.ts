// What an author changed in a text since their last one of the same kind: words taken out and words put in.
import { diffWordsWithSpace } from 'diff';
import { fill } from '../../../core/base/words/words.ts';
import type { SaidTexts } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Show } from '../show.ts';

/** Characters of a text: comparing longer ones takes long. */
const MAX_LENGTH = 20_000;
const TIMEOUT_MS = 50;
/** Two texts that share less are two texts, and no change of one. */
const LEAST_SHARED = 1 / 3;

/** For each contribution the last one before it that its author wrote; challenges are no version of an answer. */
export function pairVersions(said: readonly SaidTexts[]): Map<SaidTexts, SaidTexts> {
  const answers = said.filter(({ said: { phase } }) => phase !== 'CHALLENGE');
  const pairs = new Map<SaidTexts, SaidTexts>();
  for (const own of Map.groupBy(answers, ({ said: { by } }) => by).values())
    for (const [at, one] of own.entries()) if (at > 0) pairs.set(one, own[at - 1]!);
  return pairs;
}

/** Folded; nothing where the texts are the same, too long, or have too little in common. */
export function renderChanges(before: SaidTexts, after: SaidTexts, { w }: Show): Html | null {
  const [old, now] = [before, after].map(readWords) as [string, string];
  if (old === now || Math.max(old.length, now.length) > MAX_LENGTH) return null;
  const changes = diffWordsWithSpace(old, now, { timeout: TIMEOUT_MS });
  // Out of time.
  if (!changes) return null;
  const kept = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  );
  if (kept < LEAST_SHARED * Math.max(old.length, now.length)) return null;
  const { phase, tour } = before.said;
  return html`<details class="changes">
    <summary>${fill(w.page.changedSince, { phase, tour })}</summary>
    <p class="raw" dir="auto">
      ${changes.map(({ added, removed, value }) =>
        added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : value,
      )}
    </p>
  </details> `;
}

const readWords = ({ parts }: SaidTexts): string => parts.map(({ body }) => body.text.trim()).join('\n\n');
