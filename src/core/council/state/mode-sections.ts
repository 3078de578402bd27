// Reads the prompts for phases from the body of a mode file.
import { CouncilError } from '../../base/errors.ts';
import type { Language } from '../../base/words/words.ts';
import { PHASES } from './choices.ts';
import type { PhaseName } from './choices.ts';

/** The prompts of a mode, as its file has them: a language may lack some. */
export type Prompts = Record<Language, Partial<Record<PhaseName, string>>>;

const HEADING = /^##[ \t]+(.*)$/;
const PHASE_HEADING = new RegExp(`^(${PHASES.join('|')})(?:[ \\t]*\\((en|fr)\\))?$`, 'i');
const LIKE_A_PHASE = new RegExp(`^(${PHASES.join('|')})\\b`, 'i');
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * The prompts under the headings `## COLLECT` (English), `## COLLECT (fr)` … of a mode's body.
 * Any other `##` heading belongs to the prompt it stands in, and so does everything inside fenced code.
 * Throws `invalid_mode` for a phase heading that is not understood or stands twice.
 */
export function phaseSections(body: string, path: string): Prompts {
  const prompts: Prompts = { en: {}, fr: {} };
  const lines = body.split(/\r?\n/);
  const starts = phaseHeadings(lines, path);
  starts.forEach(({ phase, lang, line }, i) => {
    if (prompts[lang][phase] !== undefined)
      throw badHeading(path, lines[line]!, 'one section per phase and language');
    prompts[lang][phase] = lines
      .slice(line + 1, starts[i + 1]?.line)
      .join('\n')
      .trim();
  });
  return prompts;
}

interface Start {
  phase: PhaseName;
  lang: Language;
  line: number;
}

function phaseHeadings(lines: string[], path: string): Start[] {
  const starts: Start[] = [];
  let fence = '';
  lines.forEach((text, line) => {
    fence = fenceAfter(text, fence);
    const title =
      fence === ''
        ? HEADING.exec(text)?.[1]
            ?.trimEnd()
            .split(/[ \t]#+$/)[0]
            ?.trim()
        : undefined;
    if (title === undefined || !LIKE_A_PHASE.test(title)) return;
    const found = PHASE_HEADING.exec(title);
    if (!found) throw badHeading(path, text, '"## PHASE" or "## PHASE (fr)"');
    const lang = found[2]?.toLowerCase() === 'fr' ? 'fr' : 'en';
    starts.push({ phase: found[1]!.toUpperCase() as PhaseName, lang, line });
  });
  return starts;
}

/** The fence that is open after this line: its characters, or '' outside fenced code. */
function fenceAfter(line: string, open: string): string {
  const [, mark, rest] = FENCE.exec(line) ?? [];
  if (mark === undefined || rest === undefined) return open;
  if (open === '') return mark.startsWith('`') && rest.includes('`') ? '' : mark;
  return mark.startsWith(open) && rest.trim() === '' ? '' : open;
}

function badHeading(path: string, line: string, expected: string): CouncilError {
  const received = line.trim().slice(0, 80);
  return new CouncilError(
    'invalid_mode',
    `${path}: the heading ${JSON.stringify(received)} is not understood: expected ${expected}.`,
    {
      hint: `The phases are ${PHASES.join(', ')}; other headings inside a prompt must not begin with their names.`,
      details: { path, key: 'sections', expected, received },
    },
  );
}
