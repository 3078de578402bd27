// How much of some prompts begins like an earlier one: providers bill such a beginning at a fraction while they remember it.

/** A prompt, system prompt and all, and which program and model it goes to. */
export interface Asked {
  key: string;
  text: string;
}

/** Bytes of prompts in the order in which they are asked, and of their longest beginnings that an earlier one with the same key has. */
export function measureCacheable(asked: readonly Asked[]): { bytes: number; cacheable: number } {
  const sum = { bytes: 0, cacheable: 0 };
  asked.forEach(({ key, text }, at) => {
    const earlier = asked.slice(0, at).filter((one) => one.key === key);
    const longest = Math.max(0, ...earlier.map((one) => countSharedUnits(one.text, text)));
    sum.bytes += Buffer.byteLength(text);
    sum.cacheable += Buffer.byteLength(text.slice(0, longest));
  });
  return sum;
}

function countSharedUnits(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}
