/** A stream of numbers from 0 (included) to 1 (excluded). */
export type Random = () => number;

/**
 * A small fast counter generator (sfc32), seeded by whole numbers: the same seeds give the same stream on every
 * machine, because it uses 32-bit integer arithmetic only.
 */
export function randomOf(...seeds: number[]): Random {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4_294_967_296;
  };
  for (const seed of seeds) {
    a ^= seed;
    // Mixed well, so that neighbouring seeds have nothing in common.
    for (let i = 0; i < 12; i++) next();
  }
  return next;
}
