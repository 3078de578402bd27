// Reads the findings that a synthesis hands on as data in its front matter.
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { parseJsonSafely } from '../base/text.ts';

/** What a reviewer of a document points at. */
export interface Finding {
  /** True when it carries its own proof on the page. */
  first: boolean;
  /** The rule, for example `sum`. */
  kind: string;
  /** Lines of the brief, 1 for its first. */
  lines: number[];
  /** Words of the first of these lines. */
  quote: string;
  says: string;
}

/** The findings of a synthesis; undefined where it lists none as data. Anything that is no finding is left out. */
export function parseSynthesisFindings(synthesis: string): Finding[] | undefined {
  const line = /^findings: (\[.*\])[ \t]*\r?$/m.exec(cutFrontMatter(synthesis)?.yaml ?? '')?.[1];
  if (line === undefined) return undefined;
  try {
    const value: unknown = parseJsonSafely(line);
    return Array.isArray(value) ? value.filter(isFinding) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isFinding(value: unknown): value is Finding {
  if (typeof value !== 'object' || value === null) return false;
  const { first, kind, lines, quote, says } = value as Record<string, unknown>;
  return (
    typeof first === 'boolean' &&
    [kind, quote, says].every((text) => typeof text === 'string') &&
    Array.isArray(lines) &&
    lines.every((line) => typeof line === 'number')
  );
}
