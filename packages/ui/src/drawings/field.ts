/**
 * The geometry behind every drawing: wandering routes that all pass through one point. Route n
 * starts n·gap from the axis at the left edge, like a ray through a focus. Any linear map about the
 * point keeps the point fixed; so the drawings move.
 */
export type Field = {
  width: number;
  height: number;
  /** The fixed point. */
  x: number;
  y: number;
  /** Distance of neighbouring routes at the edge. */
  gap: number;
  /** Distance from the point at which the routes have spread out. */
  reach: number;
  /** Amplitude of the wandering. */
  wander: number;
};

const steps = 22;

/** Distance from the axis of route `n` at `x`; 0 at the point for every n. */
export function offsetAt(field: Field, n: number, x: number): number {
  const along = (x - field.x) / field.reach;
  const spread = Math.tanh(along);
  const drift = Math.sin(along * 1.7 + n * 2.4) * 0.6 + Math.sin(along * 0.9 + n * 1.3) * 0.4;
  return (n * field.gap + field.wander * drift * Math.abs(spread)) * spread;
}

/** Route `n` as a smooth path over the part of the field between `from` and `to`. */
export function route(field: Field, n: number, from = 0, to = field.width): string {
  const points = Array.from({ length: steps + 1 }, (_, index) => {
    const x = from + ((to - from) * index) / steps;
    return { x, y: field.y + offsetAt(field, n, x) };
  });
  return smooth(points);
}

/** A smooth curve through all points (Catmull–Rom as cubic Béziers), rounded to a tenth. */
export function smooth(points: readonly { x: number; y: number }[]): string {
  const at = (index: number) => points[Math.max(0, Math.min(points.length - 1, index))]!;
  const text = (x: number, y: number) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
  let path = `M${text(at(0).x, at(0).y)}`;
  for (let index = 0; index < points.length - 1; index++) {
    const [before, start, end, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const first = text(start.x + (end.x - before.x) / 6, start.y + (end.y - before.y) / 6);
    const second = text(end.x - (after.x - start.x) / 6, end.y - (after.y - start.y) / 6);
    path += `C${first} ${second} ${text(end.x, end.y)}`;
  }
  return path;
}
