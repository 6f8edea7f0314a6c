/** Outcome with which a customer returns from a provider's page. */
export const returnOutcomes = ['agreed', 'cancelled'] as const;
export type ReturnOutcome = (typeof returnOutcomes)[number];

/** Return path for the provider, which appends its own parameters, so it must not contain a `#`. */
export const returnPath = (way: ReturnOutcome): string => `/back/${way}`;
