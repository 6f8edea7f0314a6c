/**
 * bandwidth — owns limits of keys, usage notices.
 * Promises: a limit reaches the host without ending a connection; each share of the fair-use figure is notified once a month.
 * Listens to: `usageGrew` (provisioning).
 */
export { bandwidthHandlers } from './handlers.ts';
export { liftLimits } from './lift-limits.ts';
export { notifyFairUse } from './notify-fair-use.ts';
