import type { Minor } from '../kernel/money.ts';

/**
 * Accounts of the ledger. Debit is positive, credit negative, and each transaction sums to zero.
 * `refundsDue`: money that belongs to a payer, per provider (none where a credit note makes it
 * credit or pays another invoice). `reserved`: credit set aside by an open invoice. `fees`: what
 * the provider kept. `outOfBand`: paid from the operator's own bank.
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

/** An invoice is paid by money at a provider, a customer's credit or both. */
export const bookPaid = (paid: {
  provider: string;
  money: Minor;
  net: Minor;
  vat: Minor;
  /** Credit of its customer that the invoice had reserved. */
  credit?: Minor;
  /**
   * Earlier payments, which belonged to the payer until now, and the provider that they came by.
   */
  prepaid?: Minor;
  prepaidAt?: string | undefined;
  /**
   * Part that unused days of another subscription pay; the credit notes of those days owe it to the
   * payer.
   */
  prorated?: Minor;
  /**
   * Rest that a later invoice collects, less those of earlier ones that this one collects: the payer
   * owes it.
   */
  carried?: Minor;
}): Entry[] => [
  { account: 'provider', provider: paid.provider, amount: paid.money },
  ...(paid.credit ? [{ account: 'reserved' as const, amount: paid.credit }] : []),
  ...(paid.prepaid ? [refundsDue(paid.prepaid, paid.prepaidAt)] : []),
  ...(paid.prorated ? [refundsDue(paid.prorated)] : []),
  ...(paid.carried ? [refundsDue(paid.carried)] : []),
  { account: 'revenue', amount: -paid.net },
  { account: 'vat', amount: -paid.vat },
];

/**
 * An invoice reserves its customer's credit, so that nothing else can use it. Reversed when the
 * invoice is voided.
 */
export const bookReserved = (customerId: string, amount: Minor): Entry[] => [
  { account: 'credit', customerId, amount },
  { account: 'reserved', amount: -amount },
];

/** Money came that no invoice asked for; it belongs to the payer. */
export const bookUnapplied = (provider: string, amount: Minor): Entry[] => [
  { account: 'provider', provider, amount },
  { account: 'refundsDue', provider, amount: -amount },
];

/**
 * Money that belonged to its payer becomes their credit.
 * @param provider provider of an unapplied payment; undefined for money that a credit note took
 *   back
 */
export const bookCredited = (customerId: string, amount: Minor, provider?: string): Entry[] => [
  refundsDue(amount, provider),
  { account: 'credit', customerId, amount: -amount },
];

/** Staff grants a customer credit. It is a cost of the shop; no sale is taken back. */
export const bookGoodwill = (customerId: string, amount: Minor): Entry[] => [
  { account: 'goodwill', amount },
  { account: 'credit', customerId, amount: -amount },
];

/** The provider kept a fee of a payment. */
export const bookFee = (provider: string, fee: Minor): Entry[] => [
  { account: 'fees', provider, amount: fee },
  { account: 'provider', provider, amount: -fee },
];

/** A refund has reached its payer. */
export const bookRefund = (provider: string, amount: Minor): Entry[] => [
  { account: 'refundsDue', provider, amount },
  { account: 'provider', provider, amount: -amount },
];

/**
 * Staff refunded from the operator's own bank. The provider still holds its money, which leaves as
 * a payout.
 */
export const bookOutOfBand = (provider: string | undefined, amount: Minor): Entry[] => [
  refundsDue(amount, provider),
  { account: 'outOfBand', amount: -amount },
];

/** A carried rest is written off, because its customer has no subscription any more. */
export const bookCarriedEnded = (amount: Minor): Entry[] => [
  { account: 'goodwill', amount },
  refundsDue(-amount),
];

/** Money that was due to a payer whom nobody can pay is written off, to the shop's advantage. */
export const bookDueWrittenOff = (provider: string | undefined, amount: Minor): Entry[] => [
  refundsDue(amount, provider),
  { account: 'writeOff', ...(provider && { provider }), amount: -amount },
];

/**
 * A provider holds back more (below zero: less) of a disputed payment and charges a fee. Lost money
 * has gone to the payer: it first reduces what credit notes owe them, then the credit that it
 * became; the rest is written off.
 */
export const bookDispute = (
  provider: string,
  customerId: string | undefined,
  {
    withheld,
    fee,
    credited,
    fromCredit,
    writtenOff,
  }: { withheld: Minor; fee: Minor; credited: Minor; fromCredit: Minor; writtenOff: Minor },
): Entry[] => [
  { account: 'disputed', provider, amount: withheld - credited - fromCredit - writtenOff },
  { account: 'fees', provider, amount: fee },
  { account: 'provider', provider, amount: -withheld - fee },
  { account: 'refundsDue', provider, amount: credited },
  { account: 'credit', ...(customerId && { customerId }), amount: fromCredit },
  { account: 'writeOff', provider, amount: writtenOff },
];

/** The inverse of a transaction, for example of a refund that came back. */
export const reversed = (entries: readonly Entry[]): Entry[] =>
  entries.map(entry => ({ ...entry, amount: -entry.amount }));

/**
 * A part of a sale is credited: its revenue and VAT belong to the payer until the refund is final.
 * @param provider provider that refunds the money; undefined: it becomes credit or pays another
 *   invoice
 */
export const bookCredit = (
  provider: string | undefined,
  { net, vat }: { net: Minor; vat: Minor },
): Entry[] => [
  { account: 'revenue', amount: net },
  { account: 'vat', amount: vat },
  refundsDue(-(net + vat), provider),
];
