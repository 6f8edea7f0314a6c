import { DAY_MS, type Known, type Simulated } from './customer.ts';

const RESERVED_MS = 30 * DAY_MS;
/** Addresses of one account that are reserved although no paid period ran to its end. */
const MAX_LIMITED = 2;

/** Reserved until then without a whole paid period; `known`: unless the subscription was replaced. */
export type Limited = { known: Known | undefined; until: Date };

/**
 * Records whether the address of a subscription that ended at `at` is reserved: always after a whole paid period; of the others
 * the two that ended last, none of them after less than a day.
 */
export function reserveAddress(
  { limited }: { limited: Map<string, Limited[]> },
  { email, known }: Pick<Simulated, 'email' | 'known'>,
  at: Date,
  isReplaced = false,
): void {
  const until = new Date(at.getTime() + RESERVED_MS);
  const isWhole = known.ranPeriod;
  const isReserved = isWhole || at.getTime() - known.concludedAt.getTime() >= DAY_MS;
  if (!isReplaced) known.reservedUntil = isReserved ? until : undefined;
  if (isWhole || !isReserved) return;
  const own = [...(limited.get(email) ?? []), { known: isReplaced ? undefined : known, until }]
    .filter(one => one.until > at)
    .sort((one, other) => other.until.getTime() - one.until.getTime());
  for (const { known: givenUp } of own.slice(MAX_LIMITED)) if (givenUp) givenUp.reservedUntil = undefined;
  limited.set(email, own.slice(0, MAX_LIMITED));
}

/** Records that a subscription was taken up again: its address, if it had one, is in use. */
export function takeAddress(
  { limited }: { limited: Map<string, Limited[]> },
  { email, known }: Pick<Simulated, 'email' | 'known'>,
): void {
  known.reservedUntil = undefined;
  limited.set(
    email,
    (limited.get(email) ?? []).filter(one => one.known !== known),
  );
}
