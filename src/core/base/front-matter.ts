// Reads and writes Markdown files with YAML front matter.
import matter from 'gray-matter';
import { CouncilError } from './errors.ts';
import { cutFrontMatter, startsWithFrontMatter } from './front-matter-block.ts';
import { parseYaml, stringifyYaml } from './yaml.ts';
import type { Refuse } from './yaml.ts';

export { startsWithFrontMatter };

/** Limits for front matter. */
export interface FrontMatterLimits {
  /** Bytes between the two fences. */
  bytes: number;
  /** Number of values (keys, scalars, lists, mappings), each counted where it is written. */
  values: number;
}

/** For files that people write: agents, modes, COUNCIL.md, briefs and contributions. */
const SETTINGS_LIMITS: FrontMatterLimits = { bytes: 64 * 1024, values: 10_000 };
/** gray-matter is quadratic in the number of blank lines. */
const MAX_LINES = 2000;

/** A Markdown file split into its YAML front matter and the rest. */
export interface FrontMatter {
  data: Record<string, unknown>;
  body: string;
}

/**
 * Parses YAML front matter; for a text without any, `data` is empty and `body` is the text. Linear time,
 * bounded by `limits`. Throws `invalid_config`, naming `path`, if the block is not closed, not YAML, not a
 * mapping, or beyond a limit.
 */
export function readFrontMatter(text: string, path: string, limits = SETTINGS_LIMITS): FrontMatter {
  const block = cutFrontMatter(text);
  if (!block) return readWithoutBlock(text, path);
  const data = readYaml(block.yaml, path, limits);
  if (data === undefined || data === null) return { data: {}, body: block.body };
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new CouncilError(
      'invalid_config',
      `${path}: the front matter must be a mapping of keys to values.`,
      {
        hint: 'Write lines such as "name: henry" between the "---" lines.',
      },
    );
  }
  return { data: { ...data }, body: block.body };
}

/**
 * Writes a Markdown file with YAML front matter, from which `readFrontMatter` returns the same data and body.
 * Values nested deeper than `flowLevel` are written on one line each, so that long lists stay readable.
 */
export function writeFrontMatter(data: Record<string, unknown>, body: string, flowLevel = -1): string {
  const engines = createMatterEngines({ stringify: (settings) => stringifyYaml(settings, flowLevel) });
  // Never pass the body as a string: gray-matter would parse the body's own front matter.
  const head = matter.stringify({ content: '' }, data, { engines }).trimEnd();
  return `${head === '' ? '---\n---' : head}\n${body}`;
}

/** Only YAML, no language that would be executed. */
const createMatterEngines = (yaml: { parse?(source: string): object; stringify?(data: object): string }) => ({
  yaml: { parse: rejectFrontMatterEngine, stringify: rejectFrontMatterEngine, ...yaml },
  js: rejectFrontMatterEngine,
  javascript: rejectFrontMatterEngine,
});

function rejectFrontMatterEngine(): never {
  throw new CouncilError('invalid_config', 'Front matter is YAML.');
}

function readWithoutBlock(text: string, path: string): FrontMatter {
  if (startsWithFrontMatter(text)) {
    throw new CouncilError(
      'invalid_config',
      `${path}: the front matter that opens on line 1 is never closed.`,
      {
        hint: 'Put a line "---" after the last setting.',
      },
    );
  }
  const language = /^\uFEFF?---[ \t]*(\w[\w-]{0,19})[ \t]*\r?\n/.exec(text)?.[1];
  if (language !== undefined) {
    throw new CouncilError(
      'invalid_config',
      `${path}: front matter in ${JSON.stringify(language)} is not read.`,
      {
        hint: 'Write YAML between two lines "---", with nothing else on the first line.',
      },
    );
  }
  return { data: {}, body: text.replace(/^\uFEFF/, '') };
}

export const isTooLong = (yaml: string): boolean => Buffer.byteLength(yaml) > SETTINGS_LIMITS.bytes;

/** Finds front matter in other formats: TOML between lines `+++`, or a JSON object. */
export function findForeignFrontMatter(
  text: string,
): { language: 'TOML' | 'JSON'; source: string; body: string } | undefined {
  const toml = /^\uFEFF?\s*\+\+\+[ \t]*\r?\n([^]*?\n)?\+\+\+[ \t]*(?:\r?\n|$)/.exec(text);
  if (toml) return { language: 'TOML', source: toml[1] ?? '', body: text.slice(toml[0].length) };
  const json = /^\uFEFF?\s*(\{[^]*?\n\})[ \t]*(?:\r?\n|$)/.exec(text);
  return json && isObject(json[1]!)
    ? { language: 'JSON', source: json[1]!, body: text.slice(json[0].length) }
    : undefined;
}

function isObject(source: string): boolean {
  try {
    return typeof JSON.parse(source) === 'object';
  } catch {
    // Text that starts with a brace.
    return false;
  }
}

function readYaml(source: string, path: string, limits: FrontMatterLimits): unknown {
  const bytes = Buffer.byteLength(source);
  if (bytes > limits.bytes) {
    throw new CouncilError(
      'invalid_config',
      `${path}: the front matter that opens on line 1 has ${bytes} bytes; at most ${limits.bytes} are read.`,
      { hint: 'Move what is text below the second "---".' },
    );
  }
  const refuse: Refuse = (reason, line) => {
    // A reason may quote the file, with names as long as the file. The opening fence is line 1.
    const why = `${reason.slice(0, MAX_REASON)} (line ${line + 1})`;
    return new CouncilError('invalid_config', `${path}: the front matter cannot be read: ${why}.`, {
      hint: 'Expected YAML between two lines "---", for example:\n---\nname: henry\n---',
    });
  };
  if (source.split('\n').length > MAX_LINES + 1)
    throw refuse(`it has more than ${MAX_LINES} lines`, MAX_LINES);
  const parse = (yaml: string): object => {
    if (yaml.trim() !== source.trim()) throw refuse('a line begins with "---"', yaml.split('\n').length - 1);
    return parseYaml(source, limits.values, refuse) as object;
  };
  return matter(`---\n${source}---\n`, { engines: createMatterEngines({ parse }) }).data;
}

const MAX_REASON = 200;
