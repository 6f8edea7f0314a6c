/** A host that was not heard of for this long is silent. Its agent reports every minute. */
const SILENT_MS = 150_000;

/** A host that was heard of since then is there. */
export const heardSince = (now: Date): Date => new Date(now.getTime() - SILENT_MS);

/** Whether a host is there. Silent ones get no customers, and those whose address never ran leave them (FV5). */
export const isHeard = (seenAt: Date | null, now: Date): boolean =>
  seenAt !== null && seenAt > heardSince(now);
