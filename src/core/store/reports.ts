// Port for the reports of agents, one Markdown file each.
import type { Archives } from './archives.ts';

/** Reports: written once and never overwritten. Paths are relative to the project's root. */
export interface Reports extends Pick<Archives, 'list' | 'read'> {
  /**
   * Writes a report of an agent; durable when it resolves. `at`: milliseconds. Of several in one second each has a file of its own; the
   * same text again has the one that it has already. Resolves to the path: `wanted`, unless another text has it.
   */
  add(agent: string, at: number, text: string, wanted?: string): Promise<string>;
  /** A path that is free, and given out once here; another process may still be faster. */
  reserve(agent: string, at: number): Promise<string>;
}

/** What every path begins with. */
export const REPORTS_DIR = 'memory/reports';

/** `memory/reports/w1_20260111_163000.md`, and `…_2.md` for the second one in that second. */
export function reportPath(agent: string, at: number, number: number): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
  return `${REPORTS_DIR}/${agent}_${time}${number === 1 ? '' : `_${number}`}.md`;
}

/** When the report of a path was written, ISO 8601 UTC; undefined for a file that is called otherwise. */
export function reportTime(path: string): string | undefined {
  const found = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_\d+)?\.md$/.exec(path);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
