/** Outcome with which a customer returns from a provider's page. */
export const waysBack = ['agreed', 'cancelled'] as const;
export type WayBack = (typeof waysBack)[number];

/** Return path for the provider, which appends its own parameters, so it must not contain a `#`. */
export const wayBackPath = (way: WayBack): string => `/back/${way}`;
