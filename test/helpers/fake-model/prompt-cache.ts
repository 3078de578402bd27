// What a provider has of a prompt from earlier ones: the longest beginning it saw, or, with Anthropic, what it was told to keep.
import { flat, records } from './dialect.ts';
import type { Asked } from './dialect.ts';

/** Characters of a prompt that were in the cache, and that were written into it. */
interface FromCache {
  cached: number;
  written: number;
}

export function createPromptCache(): (asked: Asked) => FromCache {
  const seen = new Map<string, string[]>();
  return (asked) => {
    const key = `${asked.api} ${asked.model}`;
    const known = seen.get(key) ?? [];
    seen.set(key, known);
    return asked.api === 'anthropic' ? readMarked(asked, known) : readLongest(asked, known);
  };
}

function readLongest({ system, users }: Asked, known: string[]): FromCache {
  const text = [system, ...users].join('\n');
  const cached = Math.max(0, ...known.map((one) => countSame(one, text)));
  known.push(text);
  return { cached, written: 0 };
}

function readMarked({ raw }: Asked, known: string[]): FromCache {
  const body = JSON.parse(raw) as Record<string, unknown>;
  const blocks = [
    ...records(body.system),
    ...records(body.messages).flatMap(({ content }) => records(content)),
  ];
  let text = '';
  const beginnings = blocks.map((block) => ({
    end: (text += flat(block)),
    isMarked: 'cache_control' in block,
  }));
  const last = beginnings.findLastIndex(({ isMarked }) => isMarked);
  const until = beginnings.slice(0, last + 1);
  const cached = until.findLast(({ end }) => known.includes(end))?.end.length ?? 0;
  known.push(...until.filter(({ isMarked }) => isMarked).map(({ end }) => end));
  return { cached, written: (until.at(-1)?.end.length ?? 0) - cached };
}

function countSame(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
