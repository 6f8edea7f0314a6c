import type { PersonalData } from '../modules/account/index.ts';
import { eraseInvoices, invoicesOf } from '../modules/billing/index.ts';
import { eraseOrders, ordersOf } from '../modules/checkout/index.ts';
import { eraseKeys, keysOf } from '../modules/key/index.ts';
import { eraseOutOfBandRefunds, outOfBandRefundsOf, savedMethodsOf } from '../modules/payment/index.ts';
import { eraseCancellations, subscriptionsOf } from '../modules/subscription/index.ts';

/** What each module keeps of a customer, in the order in which it is told and erased. */
export const personal: readonly PersonalData[] = [
  { exportOf: ordersOf, erase: eraseOrders },
  { exportOf: invoicesOf, erase: (tx, { id }) => eraseInvoices(tx, id) },
  { exportOf: outOfBandRefundsOf, erase: (tx, { id }) => eraseOutOfBandRefunds(tx, id) },
  // What he has saved is let go as his account ends, also where it is kept.
  { exportOf: savedMethodsOf },
  { exportOf: subscriptionsOf, erase: (tx, { id }) => eraseCancellations(tx, id).then(() => {}) },
  { exportOf: keysOf, erase: (tx, { id }) => eraseKeys(tx, id) },
];
