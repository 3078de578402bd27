// Parses YAML within limits, and writes it.
import { CST, Composer, Document, Lexer, LineCounter, Parser, Scalar, isCollection, visit } from 'yaml';
import { TOO_DEEP, isTooDeep, valueOf } from './yaml-nodes.ts';
import type { Refuse } from './yaml-nodes.ts';
import { SCHEMA } from './yaml-scalars.ts';

/** Control characters, but for tabs and line ends. */
const UNPRINTABLE = /(?![\t\n\r\x7f-\x9f])\p{Cc}/u;
/** Marks, spaces and line ends for each value: what has more is not meant for reading. The library takes 200 bytes for each. */
const PIECES = 8;
/** What a backslash may stand before in double quotes. */
const ESCAPE = /\\(?:[0abtnvfre "/\\N_LP\t\n\r]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/g;

/**
 * The value of a YAML document, in linear time. `most` is how many values (keys, scalars, lists, mappings) may be written in it.
 * Throws what `refuse` makes.
 */
export function parseYaml(source: string, most: number, refuse: Refuse): unknown {
  // The library knows LF and CR LF only.
  const text = source.replace(/\r(?!\n)/g, '\n');
  const lines = new LineCounter();
  const stop = (reason: string, offset: number): Error => refuse(reason, lines.linePos(offset).line);
  const unprintable = text.search(UNPRINTABLE);
  if (unprintable !== -1) {
    throw refuse('it has a character that is not printable', text.slice(0, unprintable).split('\n').length);
  }
  // Its own search for duplicated keys is quadratic.
  const composer = new Composer({ ...SCHEMA, uniqueKeys: false });
  const [document, next] = composer.compose(boundedTokens(text, most, lines, stop), true, text.length);
  const fault = document?.errors[0] ?? document?.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED');
  if (fault) throw stop(reasonOf(fault.message), fault.pos[0]);
  if (next) throw stop('it has more than one document', next.range[0]);
  return document?.contents
    ? valueOf(document.contents, (reason, { range }) => stop(reason, range[0]))
    : null;
}

/** YAML of plain data. What lies deeper than `flowLevel` is written on one line each. */
export function stringifyYaml(data: object, flowLevel: number): string {
  const document = new Document(data, { ...SCHEMA, aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, node, path) => {
      if (flowLevel >= 0 && path.filter(isCollection).length >= flowLevel) node.flow = true;
    },
    Scalar: (_, node, path) => {
      const text = String(node.value);
      const isOnOneLine = path.some((above) => isCollection(above) && above.flow);
      // gray-matter trims what it is given.
      if (text.trim() !== text || (isOnOneLine && text.includes('\n'))) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({
    lineWidth: 0,
    singleQuote: true,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Infinity,
  });
}

/** What is nested too deeply, or too much, is refused before anything walks through it. */
function boundedTokens(
  text: string,
  most: number,
  lines: LineCounter,
  stop: (reason: string, offset: number) => Error,
): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let [values, pieces] = [0, 0];
  let before = '';
  lines.addNewLine(0);
  for (const piece of new Lexer().lex(text)) {
    if (startsValue(piece)) values += 1;
    pieces += 1;
    // The library notes every fault before the first one is looked at, and one text can have millions of these.
    const type = CST.tokenType(piece) ?? '';
    if (type === 'comma' && (before === 'comma' || before.endsWith('-start')))
      throw stop('a comma has no value before it', parser.offset);
    if (type === 'double-quoted-scalar' && piece.replace(ESCAPE, '').includes('\\'))
      throw stop('a backslash in double quotes begins no escape', parser.offset);
    if (type !== 'space' && type !== 'newline' && type !== 'comment') before = type;
    if (values > most || pieces > most * PIECES) throw stop(`it has more than ${most} values`, parser.offset);
    for (const token of parser.next(piece)) {
      if (token.type === 'error') throw stop(reasonOf(token.message), token.offset);
      tokens.push(token);
    }
    if (isTooDeep(openNodes(parser))) throw stop(TOO_DEEP, parser.offset);
  }
  tokens.push(...parser.end());
  return tokens;
}

/** The document is no value of its own; a block always has something in it. */
function openNodes({ stack }: Parser): number {
  return stack.length - (stack.at(-1)?.type.startsWith('block-') ? 0 : 1);
}

const STARTS = new Set([
  'scalar',
  'alias',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'flow-map-start',
  'flow-seq-start',
]);
const startsValue = (lexeme: string): boolean => STARTS.has(CST.tokenType(lexeme) ?? '');

const reasonOf = (message: string): string =>
  message
    .replace(/^Unresolved tag: /, 'unknown tag ')
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
