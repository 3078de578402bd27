// Texts of early archives, whose markers carry the facts of each contribution.
import { CouncilError } from '../base/errors.ts';
import { readContribution } from '../council/document/document.ts';
import { measureText, scanMarked } from '../council/document/markers.ts';
import type { Marked } from '../council/document/markers.ts';
import { PHASES } from '../council/state/choices.ts';
import { computedSynthesis, writtenSynthesis } from './archive.ts';
import type { Archive } from './archive.ts';
import type { FrontFacts } from './read-meta.ts';

type EarlyTexts = Pick<Archive, 'brief' | 'synthesis' | 'contributions'> & { altered: string[] };

/** The texts between these markers. Throws `corrupt` for a contribution whose marker lacks a fact. */
export function earlyTexts({ meta }: FrontFacts, marked: Marked[]): EarlyTexts {
  const brief = marked.find((m) => m.kind === 'brief');
  const responses = marked.filter((m) => m.kind === 'response');
  if (!responses.every(({ facts }) => isResponse(facts)))
    throw new CouncilError(
      'corrupt',
      `${meta.path}: a contribution's marker lacks by, phase, tour, at or sha256.`,
      { hint: MARKERS_ARE_OURS },
    );
  const contributions = responses.map(readContribution).sort((a, b) => a.tour - b.tour);
  const written = writtenSynthesis(contributions, meta.synthesis);
  const digest = marked.find((m) => m.kind === 'digest');
  return {
    brief: brief?.text ?? '',
    synthesis: written ?? computedSynthesis(digest?.text ?? ''),
    contributions,
    altered: [
      ...altered(brief, 'the brief'),
      ...(written ? [] : altered(digest, 'the synthesis')),
      ...contributions
        .filter((c) => !isIntact(c, c.text))
        .map((c) => `${c.by} in ${c.phase} (round ${c.tour})`),
    ],
  };
}

/** Every marked text from `offset` on. Throws `corrupt`, naming the line. */
export function markersOf(text: string, path: string, offset = 0): Marked[] {
  try {
    return scanMarked(text, path, offset);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    throw new CouncilError(error.code, error.message, { hint: MARKERS_ARE_OURS, cause: error });
  }
}

const MARKERS_ARE_OURS =
  'Markers are written by council alone. Take the file back from your version control.';

function isResponse({ by, phase, tour, at, sha256 }: Record<string, unknown>): boolean {
  const known: readonly unknown[] = PHASES;
  return (
    [by, at, sha256].every((fact) => typeof fact === 'string') &&
    known.includes(phase) &&
    Number.isInteger(tour)
  );
}

function altered(marked: Marked | undefined, what: string): string[] {
  if (!marked) return [`${what} is missing`];
  return isIntact(marked.facts, marked.text) ? [] : [what];
}

function isIntact(facts: { bytes?: unknown; sha256?: unknown }, text: string): boolean {
  const { bytes, sha256 } = measureText(text);
  return facts.bytes === bytes && facts.sha256 === sha256;
}
