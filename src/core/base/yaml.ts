// Parses YAML within limits, and writes it.
import {
  Document,
  LineCounter,
  Scalar,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  parseDocument,
  visit,
} from 'yaml';
import type { YAMLMap, DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';

/** The core schema of YAML 1.2, with merge keys. The library's own check for duplicate keys is quadratic. */
export const YAML: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: 'core',
  merge: true,
  uniqueKeys: false,
  prettyErrors: false,
};

/** Maximum nesting: an archive's block has five levels, and front matter fewer. */
const MAX_DEPTH = 32;
const TOO_DEEP = `it is nested too deeply (more than ${MAX_DEPTH} levels)`;
/** Maximum values repeated by aliases. */
const MAX_ALIASED = 10_000;
const TOO_MANY_ALIASED = `its aliases repeat more than ${MAX_ALIASED} values`;
/** Maximum product of values and aliases, which bounds the copies by merge keys. */
const MOST_MERGED = 1_000_000;
/** Control characters, except tabs and line ends. */
const UNPRINTABLE = /(?![\t\n\r\x7f-\x9f])\p{Cc}/u;

/** Creates the error for an unreadable text; `line` starts at 1. */
export type Refuse = (reason: string, line: number) => Error;

/**
 * Parses a YAML document with at most `most` values (keys, scalars, lists, mappings). Throws what `refuse`
 * returns.
 */
export function parseYaml(source: string, most: number, refuse: Refuse): unknown {
  // The library knows only LF and CR LF.
  const text = source.replace(/\r(?!\n)/g, '\n');
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable !== -1)
    throw refuse('it has a character that is not printable', text.slice(0, unprintable).split('\n').length);
  const lines = new LineCounter();
  const stop = (reason: string, offset: number): Error => refuse(reason, lines.linePos(offset).line || 1);
  try {
    const document = parseDocument(text, { ...YAML, lineCounter: lines });
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault?.message.includes('call stack')) throw refuse(TOO_DEEP, 1);
    if (fault) throw stop(formatYamlReason(fault.message), fault.pos[0]);
    const firstAlias = requireModest(document, most, stop);
    return readValues(document, () => stop(TOO_MANY_ALIASED, firstAlias));
  } catch (error) {
    // The library is recursive.
    if (error instanceof RangeError) throw refuse(TOO_DEEP, 1);
    throw error;
  }
}

/** The library counts aliases when it creates the values. Throws what `refuse` returns for too many. */
function readValues(document: ReturnType<typeof parseDocument>, refuse: () => Error): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASED });
  } catch (error) {
    throw error instanceof ReferenceError ? refuse() : error;
  }
}

/**
 * Throws what `stop` returns for too many values or levels, a duplicate key, or an alias without an anchor.
 * Returns the position of the first alias.
 */
function requireModest(
  document: ReturnType<typeof parseDocument>,
  most: number,
  stop: (reason: string, offset: number) => Error,
): number {
  let values = 0;
  const anchors = new Set<string>();
  const aliases: number[] = [];
  visit(document, {
    Node(_, node, path) {
      const at = node.range?.[0] ?? 0;
      values += 1;
      if (values > most) throw stop(`it has more than ${most} values`, at);
      if (path.filter(isCollection).length >= MAX_DEPTH && isCollection(node)) throw stop(TOO_DEEP, at);
      if (isMap(node)) requireDistinctKeys(node, stop);
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
        return;
      }
      if (!anchors.has(node.source)) throw stop(`unidentified alias "${node.source}"`, at);
      if (path.some((above) => isCollection(above) && above.anchor === node.source))
        throw stop('an alias repeats what it stands in', at);
      aliases.push(at);
    },
  });
  const [first = 0] = aliases;
  // The library copies merged values each time, and counts only other repetitions.
  if (aliases.length * values > MOST_MERGED) throw stop(TOO_MANY_ALIASED, first);
  return first;
}

function requireDistinctKeys(map: YAMLMap, stop: (reason: string, offset: number) => Error): void {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name) && name !== '<<') throw stop('duplicated mapping key', key.range?.[0] ?? 0);
    seen.add(name);
  }
}

/** Writes plain data as YAML. Values nested deeper than `flowLevel` are written on one line each. */
export function stringifyYaml(data: object, flowLevel: number): string {
  const document = new Document(data, { ...YAML, merge: false, aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, node, path) => {
      if (flowLevel >= 0 && path.filter(isCollection).length >= flowLevel) node.flow = true;
    },
    Scalar: (_, node, path) => {
      const text = String(node.value);
      const isOnOneLine = path.some((above) => isCollection(above) && above.flow);
      // gray-matter trims its input.
      if (text.trim() !== text || (isOnOneLine && text.includes('\n'))) node.type = Scalar.QUOTE_DOUBLE;
      // A date for readers of YAML 1.1, or a merge key.
      else if (/^\d{4}-\d\d-\d\d|^<<$/.test(text)) node.type = Scalar.QUOTE_SINGLE;
    },
  });
  return document.toString({
    lineWidth: 0,
    singleQuote: true,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Infinity,
  });
}

const formatYamlReason = (message: string): string =>
  message
    .replace(/^Unresolved tag: /, 'unknown tag ')
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
