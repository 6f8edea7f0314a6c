import { accountOperations, subscriptionOperations } from './accounts.ts';
import { alertOperations } from './alerts.ts';
import { auditOperations } from './audit.ts';
import { backupOperations, restoreOperations, verifyOperations } from './backups.ts';
import { blockOperations } from './blocks.ts';
import { bookOperations } from './books.ts';
import { catalogueOperations, maintenanceOperations } from './catalogue.ts';
import { customerOperations, limitOperations } from './customers.ts';
import { dayOperations } from './days.ts';
import { disputeOperations } from './disputes.ts';
import { exportOperations } from './export.ts';
import { hostOperations, noLogsOperations } from './hosts.ts';
import {
  creditOperations,
  invoiceOperations,
  numberOperations,
  paymentOperations,
  refundOperations,
  repriceOperations,
} from './money.ts';
import { clockOperations, masterKeyOperations, readyOperations, textOperations } from './system.ts';

/** Everything that staff can do, by area and verb. Commands, their reference and the audit log derive from this table. */
export const operations = {
  account: accountOperations,
  alerts: alertOperations,
  audit: auditOperations,
  backup: backupOperations,
  block: blockOperations,
  books: bookOperations,
  catalogue: catalogueOperations,
  clock: clockOperations,
  credit: creditOperations,
  customer: customerOperations,
  days: dayOperations,
  dispute: disputeOperations,
  export: exportOperations,
  host: hostOperations,
  invoice: invoiceOperations,
  limits: limitOperations,
  maintenance: maintenanceOperations,
  'master-key': masterKeyOperations,
  'no-logs': noLogsOperations,
  numbers: numberOperations,
  payments: paymentOperations,
  ready: readyOperations,
  refund: refundOperations,
  reprice: repriceOperations,
  restore: restoreOperations,
  subscription: subscriptionOperations,
  text: textOperations,
  verify: verifyOperations,
};
export type StaffOperations = typeof operations;
