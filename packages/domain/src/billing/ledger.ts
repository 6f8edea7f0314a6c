import type { Minor } from '../kernel/money.ts';

/**
 * What is booked. Debit is positive, credit negative, and each transaction sums to zero. `refundsDue` is money that
 * belongs to a payer: with the provider that holds it where it came beyond an invoice or goes back; with none where a credit
 * note makes it credit or has it pay another invoice. For each of them it closes by itself. `credit` what a customer can use, `reserved` what of it an open invoice has set aside, `provider` our
 * balance there, `fees` what it kept, `outOfBand` what left the operator's own bank.
 */
export type Account =
  | 'provider'
  | 'fees'
  | 'revenue'
  | 'vat'
  | 'refundsDue'
  | 'credit'
  | 'reserved'
  | 'goodwill'
  | 'disputed'
  | 'writeOff'
  | 'outOfBand';

export type Entry = { account: Account; amount: Minor; provider?: string; customerId?: string };

const refundsDue = (amount: Minor, provider?: string): Entry => ({
  account: 'refundsDue',
  ...(provider && { provider }),
  amount,
});

/** An invoice is paid, with money at a provider, a customer's credit or both. */
export const bookPaid = (paid: {
  provider: string;
  money: Minor;
  net: Minor;
  vat: Minor;
  /** What it had set aside of its customer's credit. */
  credit?: Minor;
  /** What came for it before, and belonged to its payer until now; and the provider that it came by. */
  prepaid?: Minor;
  prepaidAt?: string | undefined;
  /** What unused days of another subscription pay of it: credit notes of that owe it to the payer. */
  prorated?: Minor;
}): Entry[] => [
  { account: 'provider', provider: paid.provider, amount: paid.money },
  ...(paid.credit ? [{ account: 'reserved' as const, amount: paid.credit }] : []),
  ...(paid.prepaid ? [refundsDue(paid.prepaid, paid.prepaidAt)] : []),
  ...(paid.prorated ? [refundsDue(paid.prorated)] : []),
  { account: 'revenue', amount: -paid.net },
  { account: 'vat', amount: -paid.vat },
];

/** An invoice sets aside what its customer has in credit: nothing else can use it. Undone when it is not to be paid. */
export const bookReserved = (customerId: string, amount: Minor): Entry[] => [
  { account: 'credit', customerId, amount },
  { account: 'reserved', amount: -amount },
];

/** Money came that no invoice asked for: it belongs to the payer. */
export const bookUnapplied = (provider: string, amount: Minor): Entry[] => [
  { account: 'provider', provider, amount },
  { account: 'refundsDue', provider, amount: -amount },
];

/**
 * Money that belonged to its payer becomes his credit.
 * @param provider the one that it came by, beyond an invoice; none of what a credit note took back
 */
export const bookCredited = (customerId: string, amount: Minor, provider?: string): Entry[] => [
  refundsDue(amount, provider),
  { account: 'credit', customerId, amount: -amount },
];

/** Staff gives a customer credit: it costs the shop, and no sale is taken back. */
export const bookGoodwill = (customerId: string, amount: Minor): Entry[] => [
  { account: 'goodwill', amount },
  { account: 'credit', customerId, amount: -amount },
];

/** What the provider kept of a payment. */
export const bookFee = (provider: string, fee: Minor): Entry[] => [
  { account: 'fees', provider, amount: fee },
  { account: 'provider', provider, amount: -fee },
];

/** Money has gone back to its payer. */
export const bookRefund = (provider: string, amount: Minor): Entry[] => [
  { account: 'refundsDue', provider, amount },
  { account: 'provider', provider, amount: -amount },
];

/**
 * Staff has paid back what was due, from the operator's own bank: the provider holds its money still, which leaves as a
 * payout.
 */
export const bookOutOfBand = (provider: string | undefined, amount: Minor): Entry[] => [
  refundsDue(amount, provider),
  { account: 'outOfBand', amount: -amount },
];

/**
 * A provider holds back more (or, below zero, less) of a disputed payment, and takes a fee for it. What is lost has gone to
 * the payer: what a credit note says is due to him no longer is, what it had become of his credit is none, and the rest is
 * written off.
 */
export const bookDispute = (
  provider: string,
  customerId: string | undefined,
  {
    held,
    fee,
    credited,
    fromCredit,
    writtenOff,
  }: { held: Minor; fee: Minor; credited: Minor; fromCredit: Minor; writtenOff: Minor },
): Entry[] => [
  { account: 'disputed', provider, amount: held - credited - fromCredit - writtenOff },
  { account: 'fees', provider, amount: fee },
  { account: 'provider', provider, amount: -held - fee },
  { account: 'refundsDue', provider, amount: credited },
  { account: 'credit', ...(customerId && { customerId }), amount: fromCredit },
  { account: 'writeOff', provider, amount: writtenOff },
];

/** The same transaction, undone: a refund that came back. */
export const reversed = (entries: readonly Entry[]): Entry[] =>
  entries.map(entry => ({ ...entry, amount: -entry.amount }));

/**
 * A part of a sale is taken back: what was revenue and VAT belongs to the payer until his refund is final.
 * @param provider the one that its money goes back by; undefined: it becomes credit or pays another invoice
 */
export const bookCredit = (
  provider: string | undefined,
  { net, vat }: { net: Minor; vat: Minor },
): Entry[] => [
  { account: 'revenue', amount: net },
  { account: 'vat', amount: vat },
  refundsDue(-(net + vat), provider),
];
