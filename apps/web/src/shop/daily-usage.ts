const DAY_MS = 24 * 60 * 60_000;

type Used = { day: string; downBytes: number; upBytes: number };

/**
 * Usage of each day from the first to the last, with zeros for days without use.
 * @param days newest first, with gaps
 */
export function dailyUsage(days: readonly Used[]): number[] {
  const used = new Map(days.map(({ day, downBytes, upBytes }) => [day, downBytes + upBytes]));
  const [last, first] = [days[0], days.at(-1)].map(one => Date.parse(one?.day ?? ''));
  const row: number[] = [];
  for (let at = first!; at <= last!; at += DAY_MS) {
    row.push(used.get(new Date(at).toISOString().slice(0, 10)) ?? 0);
  }
  return row;
}
