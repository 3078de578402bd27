import { CouncilError } from '../../base/errors.ts';
import { startsWithFrontMatter } from '../../base/front-matter-block.ts';
import { oneLine } from '../../base/text.ts';
import type { Verdict } from '../state/state.ts';

/** What the flags of `council respond` say about a contribution. */
export interface VerdictFlags {
  agree: boolean;
  done: boolean;
  block: string[];
}

/** A verdict, and what in the front matter could not be used. */
export interface ReadVerdict {
  verdict: Verdict;
  warnings: string[];
}

const MAX_ISSUES = 20;

/**
 * The verdict of a contribution: flags and front matter are OR-ed. A text whose front matter cannot be read is
 * a good contribution without one: it is only warned about.
 */
export async function readVerdict(text: string, flags: VerdictFlags): Promise<ReadVerdict> {
  const warnings: string[] = [];
  const data = await frontMatterOf(text, warnings);
  const blocking = [...flags.block, ...asList(data.blocking)]
    .map((issue) => oneLine(issue))
    .filter((issue) => issue !== '');
  if (blocking.length > MAX_ISSUES)
    warnings.push(`Only the first ${MAX_ISSUES} blocking issues are recorded; the text keeps all.`);
  for (const key of ['agreed', 'done'] as const) {
    if (data[key] !== undefined && typeof data[key] !== 'boolean')
      warnings.push(`front matter "${key}" is neither true nor false: ignored.`);
  }
  const position =
    typeof data.position === 'string' ||
    typeof data.position === 'number' ||
    typeof data.position === 'boolean'
      ? oneLine(String(data.position))
      : '';
  if (data.position !== undefined && data.position !== null && position === '')
    warnings.push('front matter "position" is not a line of text: ignored.');
  return {
    verdict: {
      agreed: flags.agree || data.agreed === true,
      done: flags.done || data.done === true,
      position: position || null,
      blocking: [...new Set(blocking)].slice(0, MAX_ISSUES),
    },
    warnings,
  };
}

async function frontMatterOf(text: string, warnings: string[]): Promise<Record<string, unknown>> {
  // Looked at before the YAML reader is loaded: most contributions have none, and starting up costs more than this line.
  if (!startsWithFrontMatter(text)) return {};
  const { readFrontMatter } = await import('../../base/front-matter.ts');
  try {
    return readFrontMatter(text, 'the contribution').data;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    warnings.push(`${error.message} It is recorded as plain text.`);
    return {};
  }
}

function asList(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value)
    ? value.filter((v) => typeof v === 'string' || typeof v === 'number').map(String)
    : [];
}
