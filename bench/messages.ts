import { codecs } from '../src/messages/codecs/codecs.ts';
import type { Message } from '../src/messages/message.ts';
import type { Figure } from './figure.ts';
import { pairwise } from './measure.ts';

const LINES = 100_000;
const ROUNDS = 40;

/** Lines as agents write them: short ones, pairs, errors, and one whose text is as long as it may be. */
const SAMPLE = [
  'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=web_search;query=latest AI news 2024',
  'M2|W1>O1|U|T1|P1|R|-|0|S1|B450|progress=50%;found=12 articles',
  'M3|W1>O1|S|T1|P1|D|-|0|S1|B200|results=5;top1=OpenAI GPT-5;top2=Claude 4;src=#REF:T1:raw',
  'M10|W1>O1|E|T1|P1|F|E33|1|S1|B50|desc=file not found;path=/data/input.json',
  'M7|O1>*|B|-|P1|-|-|0|-|-|maintenance 5min',
  `M8|W2>O1|S|T2|P0|D|-|0|S1|B100|${'word '.repeat(40)}`,
];
const lines = Array.from({ length: LINES }, (_, at) => SAMPLE[at % SAMPLE.length]!);

function decodeAll(): Message[] {
  return lines.map((line) => {
    const result = codecs.v5.decode(line);
    if (!result.ok) throw new Error(`${line}: ${result.error.code}`);
    return result.value;
  });
}

const timed = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const decode: Figure = {
  name: 'v5-decode',
  what: `decoding ${LINES} lines of V5, on one core`,
  against: 'splitting the same lines at |',
  // 100,000 lines a second at least: a second for all of them.
  goal: 0,
  allowanceMs: 1000,
  measure: () =>
    pairwise(
      ROUNDS,
      () => timed(decodeAll),
      () => timed(() => lines.map((line) => line.split('|'))),
    ),
};

const encode: Figure = {
  name: 'v5-encode',
  what: `encoding ${LINES} messages as lines of V5`,
  against: 'joining the segments of the same lines with |',
  goal: 0,
  allowanceMs: 1000,
  measure() {
    const messages = decodeAll();
    const segments = lines.map((line) => line.split('|'));
    return pairwise(
      ROUNDS,
      () => timed(() => messages.map((message) => codecs.v5.encode(message))),
      () => timed(() => segments.map((parts) => parts.join('|'))),
    );
  },
};

/** The figures of the message formats. */
export const messageFigures = [decode, encode];
