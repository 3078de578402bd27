// How fast a cost grows with a size.

/** Sizes with what they cost, the cost of nothing taken away. */
export interface Point {
  size: number;
  cost: number;
}

/**
 * The exponent of growth: the slope of a straight line through the logarithms (least squares). 1 is linear. Undefined where
 * fewer than two points are above `noise`, below which nothing can be told from the cost of nothing.
 */
export function exponentOf(points: readonly Point[], noise: number): number | undefined {
  const told = points.filter(({ size, cost }) => size > 0 && cost > noise);
  if (told.length < 2) return undefined;
  const [xs, ys] = [told.map(({ size }) => Math.log(size)), told.map(({ cost }) => Math.log(cost))];
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, value, at) => sum + (value - x) * (ys[at]! - y), 0);
  const under = xs.reduce((sum, value) => sum + (value - x) ** 2, 0);
  return over / under;
}
