import { fairUseEmail } from '../fair-use.ts';

/** Sent when a month's usage reaches 80% of the plan's fair-use figure. */
export const fairUseNear = fairUseEmail('usageNear');
