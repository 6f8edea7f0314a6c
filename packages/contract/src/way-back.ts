/** How somebody comes back from a provider's own page: having agreed to pay, or not. */
export const waysBack = ['agreed', 'cancelled'] as const;
export type WayBack = (typeof waysBack)[number];

/** Where the provider leads him. It adds its own parameters, so that nothing of ours may stand behind a `#`. */
export const wayBackPath = (way: WayBack): string => `/back/${way}`;
