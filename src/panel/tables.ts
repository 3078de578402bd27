// Offline panel: the parts of a document where calculations occur: tables, and all running text.
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { findAmounts } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document, Span } from './document.ts';
import { readBlock } from './prose.ts';
import type { Block } from './prose.ts';

export interface Cell extends Span {
  text: string;
  /** The amount in a cell that contains nothing else. */
  amount: Amount | undefined;
}

export interface Table {
  header: Cell[];
  rows: Cell[][];
}

/** A cell with a single number, and an optional sign or unit. */
const BARE = /^[*_~≈+\-−$€\s]*[\d\s,.\u00A0\u202F]+(?:%|[\p{L}€$²]{1,8})?[*_\s]*$/u;

/** Wider tables are data, and every pair of columns would have to be compared. */
const WIDEST = 12;

const read = new WeakMap<Document, Table[]>();

/** Lists the tables of a document that are not too wide; cached. */
export function listTables(document: Document): Table[] {
  const known = read.get(document) ?? parseTables(document);
  read.set(document, known);
  return known;
}

function parseTables(document: Document): Table[] {
  const found: Table[] = [];
  visit(document.tree, 'table', (node) => {
    if ((node.children[0]?.children.length ?? 0) > WIDEST) return;
    const [header = [], ...rows] = node.children.map((row) =>
      row.children.map((cell): Cell => {
        const start = cell.position?.start.offset ?? 0;
        const raw = document.text.slice(start, cell.position?.end.offset ?? start);
        const lead = /^[|\s]*/.exec(raw)?.[0].length ?? 0;
        const text = toString(cell).trim();
        const amounts = BARE.test(text) ? findAmounts(text, document.language) : [];
        return {
          start: start + lead,
          end: start + Math.max(lead + 1, raw.replace(/[|\s]+$/, '').length),
          text,
          amount: amounts.length === 1 ? amounts[0] : undefined,
        };
      }),
    );
    if (header.length > 0 && rows.length > 0) found.push({ header, rows });
  });
  return found;
}

const blocksByDocument = new WeakMap<Document, Block[]>();

/** Lists paragraphs, headings and cells, in that order; cached. */
export function listPassages(document: Document): Block[] {
  const known = blocksByDocument.get(document) ?? [...document.blocks, ...listTableCells(document)];
  blocksByDocument.set(document, known);
  return known;
}

function listTableCells(document: Document): Block[] {
  const found: Block[] = [];
  visit(document.tree, 'tableCell', (cell) => {
    const block = readBlock('paragraph', cell, document.parsed);
    // The cell's source includes its opening bar.
    found.push({ ...block, text: block.text.replace(/^\||\|$/g, ' ') });
  });
  return found;
}
