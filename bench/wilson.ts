// Wilson's interval for a share.

/** The interval of 95 % around a share of `hits` in `tries`, as [from, to]; [0, 1] without tries. */
export function wilson(hits: number, tries: number, z = 1.959964): [number, number] {
  if (tries === 0) return [0, 1];
  const share = hits / tries;
  const scale = 1 + z ** 2 / tries;
  const middle = (share + z ** 2 / (2 * tries)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
