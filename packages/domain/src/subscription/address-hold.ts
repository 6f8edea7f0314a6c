const DAY_MS = 24 * 60 * 60_000;

/** Service of a subscription that has ended, from its last activation on. */
export type EndedService = {
  /** How long it was served. */
  servedMs: number;
  /** Whether a period that it paid ran to its end. */
  ranPaidPeriod: boolean;
};

/**
 * Whether the address of an ended subscription is reserved for its customer. `always`: it ran a paid
 * period to its end. `limited`: among the few of those that did not. `no`: it was served for less than
 * a day, so that nobody takes addresses off sale by buying and ending in turn.
 */
function addressHold({ servedMs, ranPaidPeriod }: EndedService): 'always' | 'limited' | 'no' {
  if (ranPaidPeriod) return 'always';
  return servedMs < DAY_MS ? 'no' : 'limited';
}

/** Reserved addresses of one customer whose subscriptions ran no paid period to its end. */
const MAX_LIMITED = 2;

/**
 * The reserved addresses that a customer gives up: those of too little service, and of the limited ones
 * the oldest beyond their number.
 */
export function addressesGivenUp<R extends EndedService & { endedAt: Date }>(reserved: readonly R[]): R[] {
  const limited = reserved.filter(one => addressHold(one) === 'limited');
  return [
    ...reserved.filter(one => addressHold(one) === 'no'),
    ...limited.toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime()).slice(MAX_LIMITED),
  ];
}
