/** A host without a report for this long is silent. Its agent reports every minute. */
const SILENT_MS = 150_000;

/**
 * Greatest age of a desired set: a host that has not reached the shop for this long stops what it
 * runs. Long, because an outage of the shop must not take down tunnels; finite, so that customers
 * can be moved off a host that nobody reaches.
 */
export const LEASE_MS = 7 * 24 * 60 * 60_000;

/** Hosts with a report since this instant are online. */
export const onlineSince = (now: Date): Date => new Date(now.getTime() - SILENT_MS);

/**
 * Time a host has to run its desired set: it starts the tunnels and runs a delivery check of half a
 * minute.
 */
const LATE_MS = 60_000;

/** A change that a host has not applied since this instant is late and needs attention. */
export const lateSince = (now: Date): Date => new Date(now.getTime() - LATE_MS);

/**
 * Whether a host is online. Silent ones get no customers, and subscriptions that never ran there
 * leave them.
 */
export const isOnline = (seenAt: Date | null, now: Date): boolean =>
  seenAt !== null && seenAt > onlineSince(now);
