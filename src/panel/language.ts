// Offline panel: runs retext plugins over the prose of a brief.
import retextEnglish from 'retext-english';
import { unified } from 'unified';
import { VFile } from 'vfile';
import type { PluggableList } from 'unified';
import type { Document, Span } from './document.ts';
import { wordsOf } from './prose.ts';
import type { Block } from './prose.ts';

/** What a retext plugin said about a stretch of the brief. */
export interface Hit extends Span {
  /** The package that said it, for example `retext-simplify`. */
  source: string;
  rule: string;
  /** The words concerned, as they are written. */
  actual: string;
  expected: readonly string[];
  reason: string;
}

export interface Sentence extends Span {
  /** The running text, code and markup blanked. */
  text: string;
  /** As it is written in the brief. */
  raw: string;
  words: number;
  /** True when most of the block's words are links: a list of links is no sentence. */
  links: boolean;
  heading: boolean;
}

export interface LanguageHits {
  hits: Hit[];
  sentences: Sentence[];
}

/** Each plugin indexes its whole word list on every run, so short blocks are read together. */
const BATCH = 16 * 1024;

/** Runs retext plugins over the prose of a brief. All offsets are offsets in the brief. */
export function readLanguage(document: Document, plugins: PluggableList): LanguageHits {
  const processor = unified().use(retextEnglish).use(plugins).freeze();
  const reading: LanguageHits = { hits: [], sentences: [] };
  for (const batch of batches(document.blocks)) {
    const file = new VFile(batch.map((block) => block.text).join('\n\n'));
    const tree = processor.parse(file);
    processor.runSync(tree, file);
    const locate = locator(batch);
    for (const message of file.messages) {
      const place = message.place && 'start' in message.place ? message.place : undefined;
      const at = locate(place?.start.offset, place?.end.offset);
      if (!at) continue;
      const { block, start, end } = at;
      reading.hits.push({
        start,
        end,
        source: message.source ?? '',
        rule: message.ruleId ?? '',
        actual: block.text.slice(start - block.start, end - block.start).replace(/\s+/g, ' '),
        expected: message.expected ?? [],
        reason: message.reason,
      });
    }
    for (const paragraph of tree.children) {
      if (paragraph.type !== 'ParagraphNode') continue;
      for (const node of paragraph.children) {
        if (node.type !== 'SentenceNode') continue;
        const at = locate(node.position?.start.offset, node.position?.end.offset);
        if (at) reading.sentences.push(sentence(document, at));
      }
    }
  }
  return reading;
}

interface Place extends Span {
  block: Block;
}

function sentence(document: Document, { block, start, end }: Place): Sentence {
  const text = block.text.slice(start - block.start, end - block.start);
  return {
    start,
    end,
    text,
    raw: document.text.slice(start, end),
    words: wordsOf(text).length,
    links: block.linked * 2 > block.words,
    heading: block.kind === 'heading',
  };
}

function* batches(blocks: readonly Block[]): Generator<Block[]> {
  let batch: Block[] = [];
  let size = 0;
  for (const block of blocks) {
    if (block.words === 0) continue;
    batch.push(block);
    size += block.text.length;
    if (size < BATCH) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Turns offsets in the joined text into places in the brief. */
function locator(
  batch: readonly Block[],
): (start: number | undefined, end: number | undefined) => Place | undefined {
  const origins: number[] = [];
  let origin = 0;
  for (const block of batch) {
    origins.push(origin);
    origin += block.text.length + 2;
  }
  return (start, end) => {
    if (start === undefined || end === undefined) return undefined;
    const index = origins.findLastIndex((from) => from <= start);
    const block = batch[index];
    if (!block) return undefined;
    const shift = block.start - (origins[index] ?? 0);
    return { block, start: start + shift, end: Math.min(end + shift, block.start + block.text.length) };
  };
}

/** The sentence in which an offset lies. */
export function sentenceAt(sentences: readonly Sentence[], offset: number): Sentence | undefined {
  let low = 0;
  let high = sentences.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = sentences[middle];
    if (!candidate) return undefined;
    if (offset < candidate.start) high = middle - 1;
    else if (offset >= candidate.end) low = middle + 1;
    else return candidate;
  }
  return undefined;
}

/** True when a figure stands in the text: a number, a number word, a share. Names such as "ES2015" are none. */
export const hasFigure = (text: string): boolean =>
  /(?<![\p{L}\d._/-])[~<>≤≥±+-]?[$€£]?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozens?|hundred|thousand|million|percent|half|twice|zero|none)\b/iu.test(
    text,
  );
