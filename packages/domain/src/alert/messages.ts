const BANGKOK_MS = 7 * 60 * 60_000;
const DAY_MINUTES = 24 * 60;

/** Hour and minute of an instant in Bangkok, as minutes since midnight. */
const minuteOfDay = (at: Date): number => Math.floor((at.getTime() + BANGKOK_MS) / 60_000) % DAY_MINUTES;

/** The hour that a clock in Bangkok shows. */
export const bangkokHour = (at: Date): number => Math.floor(minuteOfDay(at) / 60);

/**
 * Whether an instant lies in quiet hours, which may contain midnight.
 * @param quiet first minute of the day in Bangkok, and the first one after
 */
export function isQuiet(at: Date, quiet: { from: number; to: number } | undefined): boolean {
  if (!quiet) return false;
  const now = minuteOfDay(at);
  return quiet.from <= quiet.to ? now >= quiet.from && now < quiet.to : now >= quiet.from || now < quiet.to;
}

/**
 * Which of the due messages are sent one by one, and which are told together in a summary. The summary counts as one, so
 * that no more than `left` are sent. What has no place waits.
 */
export function shareOut<T>(due: readonly T[], left: number): { single: T[]; together: T[] } {
  if (left <= 0) return { single: [], together: [] };
  if (due.length <= left) return { single: [...due], together: [] };
  return { single: due.slice(0, left - 1), together: due.slice(left - 1) };
}
