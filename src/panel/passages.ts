// Offline panel: every stretch of running text in which people calculate: paragraphs, headings and cells of tables.
import { visit } from 'unist-util-visit';
import type { Document } from './document.ts';
import { readBlock } from './prose.ts';
import type { Block } from './prose.ts';

const read = new WeakMap<Document, Block[]>();

/** Paragraphs, headings and cells, in the order of the text; read once. */
export function listPassages(document: Document): Block[] {
  const known = read.get(document) ?? [...document.blocks, ...listTableCells(document)];
  read.set(document, known);
  return known;
}

function listTableCells(document: Document): Block[] {
  const found: Block[] = [];
  visit(document.tree, 'tableCell', (cell) => {
    const block = readBlock('paragraph', cell, document.parsed);
    // The bar that opens a cell belongs to it.
    found.push({ ...block, text: block.text.replace(/^\||\|$/g, ' ') });
  });
  return found;
}
