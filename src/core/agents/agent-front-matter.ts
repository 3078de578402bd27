// Front matter of agent files. Known keys are read line by line if the YAML is invalid.
import { CouncilError, ignoreRefusal } from '../base/errors.ts';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { findForeignFrontMatter, isTooLong, readFrontMatter } from '../base/front-matter.ts';
import type { FrontMatter } from '../base/front-matter.ts';

/** An agent's file; `readable` is its text with valid YAML. */
export interface AgentFile extends FrontMatter {
  readable: string;
}

/** A top-level key and its lines. */
interface TopLevelKey {
  key: string;
  lines: string[];
}

const KEY = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+|(?=\r?\n|$))/;
/** Descriptions contain examples inside tags: nothing in them is a key. */
const TAG = /^<(\w[\w-]*)>/;
/** Finds every `council:`, also indented: inside another key its meaning is unclear, and the file is refused. */
const COUNCIL = /^[ \t]*council[ \t]*:/gm;

/** `council:` settings in a file without front matter. */
const COUNCIL_BELOW = /^council:[ \t]*\r?$/m;

/** Throws `invalid_agent` if the file is ambiguous about which program runs. */
export function readAgentFile(given: string, path: string): AgentFile {
  // Blank lines are allowed above the front matter.
  const text = given.replace(/^\uFEFF?\s*\n(?=---[ \t]*\r?\n)/, '');
  try {
    const foreign = findForeignFrontMatter(text);
    if (foreign !== undefined)
      throw new CouncilError('invalid_config', `${path}: front matter in ${foreign.language} is not read.`, {
        hint: 'Write YAML between two lines "---".',
      });
    const read = readFrontMatter(text, path);
    if (read.body === text && COUNCIL_BELOW.test(text))
      throw new CouncilError(
        'invalid_config',
        `${path}: "council:" stands below other text, where it is not read.`,
        {
          hint: 'Front matter begins with a line "---", and nothing stands above it.',
        },
      );
    return { ...read, readable: text };
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'invalid_config') throw error;
    const byLine = readByLine(text, path);
    if (byLine) return byLine;
    throw new CouncilError('invalid_agent', error.message, { hint: error.hint, cause: error });
  }
}

/**
 * Reads each key separately: as YAML, else as plain text. Returns undefined if there is neither a name nor a
 * description, or if `council:` is ambiguous.
 */
function readByLine(text: string, path: string): AgentFile | undefined {
  const block = cutFrontMatter(text);
  if (!block || isTooLong(block.yaml)) return undefined;
  const { above, entries } = splitTopLevelKeys(block.yaml);
  const settings = entries.filter(({ key }) => key === 'council');
  if (settings.length !== (block.yaml.match(COUNCIL)?.length ?? 0)) return undefined;
  const data: Record<string, unknown> = {};
  const lines = [above];
  for (const entry of entries) {
    const { key } = entry;
    const source = entry.lines.join('');
    const said = extractPlainValue(entry);
    const value = parseYamlValue(key, source, path);
    if (value === undefined && key === 'council') return undefined;
    const taken = value ?? said;
    // A repeated key with different values is dropped.
    const isSame = !Object.hasOwn(data, key) || JSON.stringify(data[key]) === JSON.stringify(taken);
    if (!isSame && key === 'council') return undefined;
    data[key] = isSame ? taken : undefined;
    lines.push(value === undefined ? `${key}: ${JSON.stringify(said)}\n` : source);
  }
  if (![data.name, data.description].some(hasLettersOrDigits)) return undefined;
  const readable = `${text.slice(0, block.start)}${lines.join('')}${text.slice(block.start + block.yaml.length)}`;
  return { data, body: block.body, readable };
}

/** Returns the text after a key, including the lines below it. */
const extractPlainValue = ({ key, lines }: TopLevelKey): string =>
  lines
    .map((line, at) => (at === 0 ? line.slice(line.indexOf(':', key.length) + 1) : line).trim())
    .join('\n')
    .trim();

const hasLettersOrDigits = (value: unknown): boolean =>
  typeof value === 'string' && /[\p{L}\p{N}]/u.test(value);

function parseYamlValue(key: string, source: string, path: string): unknown {
  return ignoreRefusal(
    () => readFrontMatter(`---\n${source}---\n`, path).data[key] ?? null,
    'invalid_config',
  );
}

/** Splits YAML into top-level keys with their lines, and the text above the first one. */
function splitTopLevelKeys(yaml: string): { above: string; entries: TopLevelKey[] } {
  const entries: TopLevelKey[] = [];
  let above = '';
  let within: string | undefined;
  for (const line of yaml.split(/(?<=\n)/)) {
    const key = within === undefined ? KEY.exec(line) : null;
    if (key) entries.push({ key: key[1]!, lines: [line] });
    else if (entries.length > 0) entries.at(-1)!.lines.push(line);
    else above += line;
    within ??= TAG.exec(line)?.[1];
    if (within !== undefined && line.includes(`</${within}>`)) within = undefined;
  }
  return { above, entries };
}
