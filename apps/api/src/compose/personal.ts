import type { PersonalData } from '../modules/account/index.ts';
import { eraseDetails, staffActionsOf } from '../modules/audit/index.ts';
import { eraseInvoices, invoicesOf } from '../modules/billing/index.ts';
import { eraseBlockReasons } from '../modules/block/index.ts';
import { erasePlaceNotices, placeNoticesOf } from '../modules/catalog/index.ts';
import { eraseOrders, ordersOf } from '../modules/checkout/index.ts';
import { eraseSentEmails, sentEmailsOf } from '../modules/email/index.ts';
import { eraseKeys, keysOf } from '../modules/key/index.ts';
import { eraseOutOfBandRefunds, outOfBandRefundsOf, savedMethodsOf } from '../modules/payment/index.ts';
import {
  allowListOf,
  eraseAllowList,
  eraseCancellations,
  eraseLabels,
  eraseSuspensions,
  subscriptionsOf,
} from '../modules/subscription/index.ts';
import { eraseInvitations, invitationsOf } from '../modules/team/index.ts';

/** Personal data of each module, in the order of export and erasure. */
export const personal: readonly PersonalData[] = [
  { exportOf: ordersOf, erase: eraseOrders },
  { exportOf: invoicesOf, erase: (tx, { id }) => eraseInvoices(tx, id) },
  { exportOf: outOfBandRefundsOf, erase: (tx, { id }) => eraseOutOfBandRefunds(tx, id) },
  // Saved methods are detached at their gateways when the account ends, so nothing is left to erase.
  { exportOf: savedMethodsOf },
  {
    exportOf: subscriptionsOf,
    erase: async (tx, { id }) => {
      await eraseCancellations(tx, id);
      await eraseLabels(tx, id);
    },
  },
  { exportOf: allowListOf, erase: (tx, { id }) => eraseAllowList(tx, id) },
  { exportOf: invitationsOf, erase: eraseInvitations },
  { exportOf: placeNoticesOf, erase: (tx, { email }) => erasePlaceNotices(tx, email) },
  { exportOf: keysOf, erase: (tx, { id }) => eraseKeys(tx, id) },
  { erase: (tx, { id }) => eraseSuspensions(tx, id) },
  { erase: (tx, { id }) => eraseBlockReasons(tx, id) },
  { exportOf: sentEmailsOf, erase: (tx, { id }) => eraseSentEmails(tx, id) },
  { exportOf: staffActionsOf, erase: eraseDetails },
];
