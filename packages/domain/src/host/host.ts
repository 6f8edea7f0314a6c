/** A host that was not heard of for this long is silent. Its agent reports every minute. */
const SILENT_MS = 150_000;

/**
 * Greatest age of a desired set: a host that has not reached the shop for so long ends what it runs. Long, because a shop
 * that is away must not take its customers' tunnels along; finite, because a host that nobody reaches must not serve for
 * ever, and its customers can be moved when it is over.
 */
export const LEASE_MS = 7 * 24 * 60 * 60_000;

/** A host that was heard of since then is there. */
export const heardSince = (now: Date): Date => new Date(now.getTime() - SILENT_MS);

/** A host has so long to run what it was given: it starts it, and looks for half a minute whether it works. */
const LATE_MS = 60_000;

/** What a host has not done since then it does not do by itself. */
export const lateSince = (now: Date): Date => new Date(now.getTime() - LATE_MS);

/** Whether a host is there. Silent ones get no customers, and those whose address never ran leave them. */
export const isHeard = (seenAt: Date | null, now: Date): boolean =>
  seenAt !== null && seenAt > heardSince(now);
