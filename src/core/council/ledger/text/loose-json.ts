// Parses JSON as people and models write it, as YAML: trailing commas, single quotes and bare words.
import { isScalar, parseDocument, visit } from 'yaml';
import { YAML } from '../../../base/yaml.ts';

/**
 * Parses the object or list at `open`. Returns its data, its duplicate keys and its end offset; undefined if
 * it is unclosed or invalid. Linear time.
 */
export function readLooseJson(
  text: string,
  open: number,
): { data: object; twice: string[]; end: number } | undefined {
  const found = toYaml(text, open);
  if (!found) return undefined;
  try {
    const document = parseDocument(found.source, { ...YAML, merge: false, logLevel: 'error' });
    const data = document.errors.length > 0 ? null : (document.toJS({ maxAliasCount: 0 }) as unknown);
    const twice: string[] = [];
    visit(document, {
      Map(_, { items }) {
        const keys = new Set<unknown>();
        for (const { key } of items) {
          const name = isScalar(key) ? key.value : key;
          if (keys.has(name)) twice.push(String(name));
          keys.add(name);
        }
      },
    });
    return typeof data === 'object' && data !== null ? { data, twice, end: found.end } : undefined;
  } catch (error) {
    // Nested too deeply, or with cyclic references.
    if (error instanceof RangeError || error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Tolerates an apostrophe inside single quotes: the string ends where the value does. */
const TOKEN =
  /(?<double>"(?:\\[^]|[^"\\])*")|(?<=[\s:,[{])'(?<single>(?:\\[^]|[^'\\\n]|'(?!\s*[,:}\]]))*)'|“(?<curly>[^“”]*)”|(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|[{}[\]:]/g;

function toYaml(text: string, open: number): { source: string; end: number } | undefined {
  let [source, depth, from] = ['', 0, open];
  const tokens = new RegExp(TOKEN);
  tokens.lastIndex = open;
  for (const { 0: token, index, groups = {} } of text.matchAll(tokens)) {
    const { double, single, curly, comment } = groups;
    source += text.slice(from, index);
    from = index + token.length;
    if (double !== undefined) source += double.replace(/\r?\n/g, '\\n');
    else if (comment !== undefined) source += ' ';
    else if (token.length > 1) source += JSON.stringify(single?.replace(/\\(['"\\])/g, '$1') ?? curly);
    else source += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return { source, end: from };
  }
  return undefined;
}
