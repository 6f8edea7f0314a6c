/** Size of a file; small ones count as 0.1 MB. */
export const megabytes = (bytes: number): string => `${Math.max(0.1, bytes / 1_000_000).toFixed(1)} MB`;

/** Rows as one line: `12 customers, 3 hosts`. */
export const counted = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');

const UNITS = { d: 86_400, h: 3_600, min: 60, s: 1 };

/** A duration in its two largest units: `3 h 12 min`. */
export function duration(seconds: number): string {
  let left = seconds;
  const parts: string[] = [];
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}
