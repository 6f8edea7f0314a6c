import { fromProviderUnit, wholeUnitsIn } from '@fixpoint/domain/kernel/money.ts';
import type { BtcpayLedger } from '@fixpoint/sandbox/btcpay/ledger.ts';
import type { Ledger } from '@fixpoint/sandbox/control/ledger.ts';
import type { PaypalLedger } from '@fixpoint/sandbox/paypal/ledger.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { World } from './deeds.ts';
import { MINUTE_MS } from './life.ts';

type Ledgers = { stripe: Ledger; paypal: PaypalLedger; btcpay: BtcpayLedger };
const ledgersOf = async ({ sandbox }: TestShop): Promise<Ledgers> => ({
  stripe: await sandbox.ledger(),
  paypal: await sandbox.paypalLedger(),
  btcpay: await sandbox.btcpayLedger(),
});

/** Sums of money in hundredths, by `provider currency`. */
type Sums = Record<string, number>;

/** What each provider holds of our money, before its fees, by its own ledger. */
function heldBy({ stripe, paypal, btcpay }: Ledgers): Sums {
  const sums: Sums = {};
  const add = (provider: string, currency: string, amount: number) => {
    const name = `${provider} ${currency.toUpperCase()}`;
    sums[name] = (sums[name] ?? 0) + amount;
  };
  for (const [currency, total] of Object.entries(stripe.totals))
    add('stripe', currency, fromProviderUnit(currency, total));
  for (const { currency, withdrawn } of stripe.disputes)
    add('stripe', currency, -fromProviderUnit(currency, withdrawn));
  for (const [currency, { gross }] of Object.entries(paypal.balances))
    add('paypal', currency, fromProviderUnit(currency, gross));
  for (const { currency, settled } of btcpay.invoices)
    add('btcpay', currency, wholeUnitsIn(currency, settled));
  for (const { currency, paid } of btcpay.refunds) add('btcpay', currency, -paid);
  return withoutZeros(sums);
}

const withoutZeros = (sums: Sums): Sums =>
  Object.fromEntries(
    Object.entries(sums)
      .filter(([, sum]) => sum !== 0)
      .sort(),
  );

/** The same by our books, whose fees were taken off. */
async function bookedAt({ db }: TestShop): Promise<Sums> {
  const rows = await db
    .selectFrom('ledger_entry')
    .select(['provider', 'currency', sql<number>`sum(amount)::bigint`.as('sum')])
    .where('account', 'in', ['provider', 'fees'])
    .groupBy(['provider', 'currency'])
    .execute();
  return withoutZeros(
    Object.fromEntries(rows.map(({ provider, currency, sum }) => [`${provider} ${currency}`, sum])),
  );
}

/** The books say of every provider's money what that one says, as soon as its news have come. */
export async function moneyIsWhereItShouldBe({ shop, time }: World): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const ledgers = await ledgersOf(shop);
    const waited = await takeWhatWaits(shop, ledgers);
    const [theirs, ours] = [heldBy(ledgers), await bookedAt(shop)];
    if (!waited && JSON.stringify(theirs) === JSON.stringify(ours)) return;
    if (looks === 3) expect(ours, 'the books say what the providers say').toEqual(theirs);
    await time.later(2 * MINUTE_MS);
  }
}

/** Payers say where their money is to go, where they are asked. @returns whether anybody was */
async function takeWhatWaits({ sandbox: { control } }: TestShop, ledgers: Ledgers): Promise<boolean> {
  const asked = ledgers.stripe.refunds.filter(({ status }) => status === 'requires_action');
  for (const { refund } of asked) await control('refunds/settle', { refund, outcome: 'pending' });
  const claims = ledgers.btcpay.refunds.filter(({ amount, paid, archived }) => paid < amount && !archived);
  for (const { pullPayment } of claims) {
    await control('btcpay/claim', { pullPayment, destination: 'bcrt1qreceiver' });
    await control('btcpay/payouts/settle', { pullPayment, outcome: 'Completed' });
  }
  return asked.length + claims.length > 0;
}
