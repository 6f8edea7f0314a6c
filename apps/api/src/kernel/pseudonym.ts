const ERASED = '@deleted.invalid';

/** Undeliverable address that replaces that of an erased customer. */
export const pseudonymOf = (customerId: string): string => `${customerId}${ERASED}`;
/** Whether an address is the pseudonym of an erased customer. */
export const isPseudonym = (email: string): boolean => email.endsWith(ERASED);
