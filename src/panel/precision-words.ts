// Offline panel: word lists of the precision reviewer (data).
import type { Severity } from './finding.ts';

interface Claim {
  words: readonly string[];
  severity: Severity;
  /** What a reader would ask. */
  question: string;
}

/** Claims that a figure would settle. */
export const CLAIMS: readonly Claim[] = [
  {
    words: [
      'fast',
      'faster',
      'fastest',
      'quick',
      'quickly',
      'rapid',
      'rapidly',
      'slow',
      'slower',
      'blazing',
      'low latency',
      'low-latency',
      'real time',
      'real-time',
      'instantly',
    ],
    severity: 'minor',
    question: 'say how long it takes, on which input and machine, or compared with what.',
  },
  {
    words: [
      'scalable',
      'scales',
      'high performance',
      'high-performance',
      'performant',
      'efficient',
      'efficiently',
      'optimized',
      'optimised',
      'lightweight',
      'low overhead',
    ],
    severity: 'minor',
    question: 'say up to what size it was measured and what it costs there.',
  },
  {
    words: [
      'robust',
      'reliable',
      'reliably',
      'highly available',
      'battle tested',
      'battle-tested',
      'production ready',
      'production-ready',
      'bulletproof',
      'rock solid',
      'rock-solid',
    ],
    severity: 'minor',
    question: 'say what was tested, how often it failed, or where it is in use.',
  },
  {
    words: [
      'seamless',
      'seamlessly',
      'powerful',
      'intuitive',
      'user friendly',
      'user-friendly',
      'modern',
      'elegant',
      'effortless',
      'effortlessly',
      'world class',
      'world-class',
      'best in class',
      'best-in-class',
      'cutting edge',
      'cutting-edge',
      'state of the art',
      'state-of-the-art',
      'next generation',
      'next-generation',
      'revolutionary',
      'enterprise grade',
      'enterprise-grade',
    ],
    severity: 'minor',
    question: 'praise that nobody can check; say what it does instead.',
  },
  {
    words: ['easy', 'easily', 'easier', 'effortless', 'painless'],
    severity: 'note',
    question: 'easy for whom? Say how many steps it takes, or show them.',
  },
  {
    words: [
      'many',
      'several',
      'numerous',
      'few',
      'lots of',
      'a lot of',
      'plenty of',
      'a number of',
      'countless',
      'a variety of',
      'the majority of',
    ],
    severity: 'note',
    question: 'say how many.',
  },
  {
    words: [
      'often',
      'frequently',
      'rarely',
      'seldom',
      'occasionally',
      'sometimes',
      'regularly',
      'periodically',
    ],
    severity: 'note',
    question: 'say how often, or in which cases.',
  },
  {
    words: [
      'huge',
      'massive',
      'tiny',
      'enormous',
      'significant',
      'significantly',
      'substantial',
      'substantially',
      'considerable',
      'considerably',
      'large',
      'dramatically',
      'minimal',
    ],
    severity: 'note',
    question: 'say how much.',
  },
  {
    words: [
      'soon',
      'shortly',
      'as soon as possible',
      'asap',
      'in the near future',
      'recently',
      'eventually',
      'in due course',
      'in the future',
    ],
    severity: 'note',
    question: 'give the date, or the event it waits for.',
  },
];

/** The words of retext-intensify that are vague in technical text too; its full list holds "that", "all" and "can". */
export const VAGUE: ReadonlySet<string> = new Set(
  `a bit|a lot|absolutely|actually|amazing|apparently|arguably|basically|completely|et cetera|and so forth|essentially|
  exceedingly|excellent|extremely|fairly|frankly|generally|heavily|highly|hopefully|in general|in my opinion|interestingly|
  kind of|largely|likely|literally|lots|maybe|more or less|mostly|nicely|perhaps|possibly|practically|presumably|pretty|
  probably|quite|rather|really|relatively|remarkably|reportedly|seem|seemed|seems|slightly|somehow|somewhat|sort of|
  strongly|stuff|supposedly|surely|surprisingly|tend|things|totally|truly|typically|ultimately|usually|various|vast|
  very|virtually|widely`
    .split('|')
    .map((words) => words.trim()),
);
