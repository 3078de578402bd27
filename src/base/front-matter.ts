import matter from 'gray-matter';
import { CouncilError } from './errors.ts';
import { cutFrontMatter, startsWithFrontMatter } from './front-matter-block.ts';
import { SETTINGS_LIMITS, yamlCounter } from './yaml-limits.ts';
import type { YamlLimits, YamlListener } from './yaml-limits.ts';

export { startsWithFrontMatter };

/** A Markdown file cut into its YAML front matter and the rest. */
export interface FrontMatter {
  data: Record<string, unknown>;
  body: string;
}

// gray-matter itself picks an engine by the text's first line, evaluates `---js` and is quadratic in blank lines.
// Its YAML engine alone does none of this; the types of gray-matter leave `engines` out.
type YamlEngine = { parse: (text: string, options: { listener: YamlListener }) => unknown };
const yaml = () => (matter as unknown as { engines: { yaml: YamlEngine } }).engines.yaml;

/**
 * Reads YAML front matter; a text without any has empty `data` and is all body. Linear time, bounded by `limits`.
 * Throws `invalid_config`, naming `path`, when the block is not closed, not YAML, not a mapping, or beyond a limit.
 */
export function readFrontMatter(text: string, path: string, limits = SETTINGS_LIMITS): FrontMatter {
  const block = cutFrontMatter(text);
  if (!block) return withoutBlock(text, path);
  const data = parseYaml(block.yaml, path, limits);
  if (data === undefined || data === null) return { data: {}, body: block.body };
  if (typeof data !== 'object' || Array.isArray(data) || data instanceof Date) {
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
 * A Markdown file with YAML front matter: `readFrontMatter` gives the same data and body back. What lies deeper than
 * `flowLevel` is written on one line each, so that long lists stay readable.
 */
export function writeFrontMatter(data: Record<string, unknown>, body: string, flowLevel = -1): string {
  // Never the body as a string: gray-matter would read that one's own front matter, and run it if it says `---js`.
  // Options that gray-matter's types do not know go to its YAML writer all the same.
  const options = { flowLevel } as Parameters<typeof matter.stringify>[2];
  const head = matter.stringify({ content: '' }, data, options).trimEnd();
  return `${head === '' ? '---\n---' : head}\n${body}`;
}

function withoutBlock(text: string, path: string): FrontMatter {
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

function parseYaml(source: string, path: string, limits: YamlLimits): unknown {
  const bytes = Buffer.byteLength(source);
  if (bytes > limits.bytes) {
    throw new CouncilError(
      'invalid_config',
      `${path}: the front matter that opens on line 1 has ${bytes} bytes; at most ${limits.bytes} are read.`,
      { hint: 'Move what is text below the second "---".' },
    );
  }
  try {
    return yaml().parse(source, { listener: yamlCounter(limits) });
  } catch (error) {
    throw new CouncilError(
      'invalid_config',
      `${path}: the front matter cannot be read: ${reasonOf(error)}.`,
      {
        hint: 'Expected YAML between two lines "---", for example:\n---\nname: henry\n---',
        cause: error,
      },
    );
  }
}

/** A reason may quote the file, and a name in it can be as long as the file. */
const MAX_REASON = 200;

// The lines of a YAML error are counted from 0 inside the block: +1 for counting from 1, +1 for the opening fence.
function reasonOf(error: unknown): string {
  const { reason, mark, message } = error as { reason?: string; mark?: { line: number }; message: string };
  const line = mark ? ` (line ${mark.line + 2})` : '';
  return (reason ?? message.split('\n', 1)[0] ?? '').slice(0, MAX_REASON) + line;
}
