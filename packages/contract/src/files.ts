/**
 * Days before the expiry of a device's file at which its owner is notified by email and on the
 * overview.
 */
export const FILE_ENDS_SOON_DAYS = 30;
