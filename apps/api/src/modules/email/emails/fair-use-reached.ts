import { fairUseEmail } from '../fair-use.ts';

/** Sent when a month's usage reaches the plan's fair-use figure. */
export const fairUseReached = fairUseEmail('usageReached');
