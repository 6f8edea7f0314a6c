import { bookedBalances, readLedgers } from '@fixpoint/testkit/load-test/ledgers.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import type { Simulation } from './actions.ts';
import { MINUTE_MS } from './customer.ts';

/** Sums in hundredths by `provider currency`, without zeros. */
const nonZero = (sums: Iterable<[string, number]>) =>
  Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).sort());

/** Expects the books to agree with every provider once its webhook events have arrived. */
export async function expectBooksAgree({ shop, time }: Simulation): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const waited = await claimRefunds(shop);
    const theirs = nonZero((await readLedgers(shop.sandbox.control)).balances);
    const ours = nonZero(await bookedBalances(shop.db));
    if (!waited && JSON.stringify(theirs) === JSON.stringify(ours)) return;
    if (looks === 3) expect(ours, 'the books say what the providers say').toEqual(theirs);
    await time.later(2 * MINUTE_MS);
  }
}

/** Names the account for refunds that wait for it. @returns whether any did */
export async function claimRefunds({ sandbox }: TestShop): Promise<boolean> {
  const { control } = sandbox;
  const asked = (await sandbox.ledger()).refunds.filter(({ status }) => status === 'requires_action');
  for (const { refund } of asked) await control('refunds/settle', { refund, outcome: 'pending' });
  const { refunds } = await sandbox.btcpayLedger();
  const claims = refunds.filter(({ amount, paid, archived }) => paid < amount && !archived);
  for (const { pullPayment } of claims) {
    await control('btcpay/claim', { pullPayment, destination: 'bcrt1qreceiver' });
    await control('btcpay/payouts/settle', { pullPayment, outcome: 'Completed' });
  }
  return asked.length + claims.length > 0;
}
