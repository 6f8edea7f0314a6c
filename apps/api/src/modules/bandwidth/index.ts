/**
 * bandwidth — owns limits of keys, what customers were told of their use.
 * Promises: a limit reaches the host without a connection ending; each share of the fair-use figure is told once a month.
 * Listens to: a subscription's use has grown (provisioning).
 */
export { bandwidthHandlers } from './handlers.ts';
export { liftLimits } from './lift-limits.ts';
export { notifyFairUse } from './notify-fair-use.ts';
