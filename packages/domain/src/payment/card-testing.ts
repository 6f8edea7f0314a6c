/**
 * What a bank's refusals lead to (S43): who tries stolen cards needs many tries. Refusals are counted by order,
 * device and network, for an hour.
 */
export const COUNTED_SECONDS = 60 * 60;

/** So long a browser on which nobody has logged in is known by a random name: longer than refusals are counted. */
export const NAMELESS_DEVICE_MS = 24 * 60 * 60 * 1000;

/** So many refusals under one name, and each next try costs a proof of work. */
const PROOF_AFTER = 2;
/** So many, and the payment that was refused last is closed: nothing more can be tried on it without us. */
const CLOSE_AFTER = 5;
/** So many in the whole shop within the hour: somebody tries cards, from many places. */
const WAVE_AFTER = 40;

export const mustProve = (declines: number, scale: number): boolean => declines >= PROOF_AFTER * scale;
export const mustClose = (declines: number, scale: number): boolean => declines >= CLOSE_AFTER * scale;
export const isWave = (declines: number, scale: number): boolean => declines >= WAVE_AFTER * scale;
