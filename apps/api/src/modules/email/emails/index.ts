import type { EmailTemplate } from '../../../ports/jobs.ts';
import type { Email } from '../define-email.ts';
import { accountClosed } from './account-closed.ts';
import { accountCredit } from './account-credit.ts';
import { accountDeleted } from './account-deleted.ts';
import { accountDisabled } from './account-disabled.ts';
import { addressReserved } from './address-reserved.ts';
import { cardExpiring } from './card-expiring.ts';
import { configurationFileExpiring } from './configuration-file-expiring.ts';
import { creditNote } from './credit-note.ts';
import { deviceAdded } from './device-added.ts';
import { deviceDeleted } from './device-deleted.ts';
import { deviceForYou } from './device-for-you.ts';
import { documentLate } from './document-late.ts';
import { downgradeCancelled } from './downgrade-cancelled.ts';
import { downgradeScheduled } from './downgrade-scheduled.ts';
import { emailAnnounced } from './email-announced.ts';
import { emailChanged } from './email-changed.ts';
import { fairUseNear } from './fair-use-near.ts';
import { fairUseReached } from './fair-use-reached.ts';
import { freeDays } from './free-days.ts';
import { invoiceCopy } from './invoice-copy.ts';
import { invoiceReplaced } from './invoice-replaced.ts';
import { loginSettingsChanged } from './login-settings-changed.ts';
import { newLogin } from './new-login.ts';
import { orderEmailTaken } from './order-email-taken.ts';
import { paidInPart } from './paid-in-part.ts';
import { passwordSet } from './password-set.ts';
import { priceChange } from './price-change.ts';
import { priceChangeRevoked } from './price-change-revoked.ts';
import { purchaseReceipt } from './purchase-receipt.ts';
import { refundFailed } from './refund-failed.ts';
import { refundNeedsCustomer } from './refund-needs-customer.ts';
import { refundSent } from './refund-sent.ts';
import { refundedOutOfBand } from './refunded-out-of-band.ts';
import { renewalInvoice } from './renewal-invoice.ts';
import { renewalPaymentFailed } from './renewal-payment-failed.ts';
import { renewalReceipt } from './renewal-receipt.ts';
import { renewalReminder } from './renewal-reminder.ts';
import { serviceRestored } from './service-restored.ts';
import { serviceSuspended } from './service-suspended.ts';
import { sessionStolen } from './session-stolen.ts';
import { subscriptionCancelled } from './subscription-cancelled.ts';
import { subscriptionEndingSoon } from './subscription-ending-soon.ts';
import { subscriptionExpired } from './subscription-expired.ts';
import { subscriptionReactivated } from './subscription-reactivated.ts';
import { subscriptionReady } from './subscription-ready.ts';
import { subscriptionResumed } from './subscription-resumed.ts';
import { teamJoined } from './team-joined.ts';
import { teamRemoved } from './team-removed.ts';
import { teamRole } from './team-role.ts';
import { upgradeReceipt } from './upgrade-receipt.ts';
import { urlEnded } from './url-ended.ts';
import { vatChange } from './vat-change.ts';
import { welcome } from './welcome.ts';
import { withdrawalConfirmed } from './withdrawal-confirmed.ts';

export { accountExists, emailUsed } from './account-exists.ts';
export { invitation } from './invitation.ts';
export { oneTimeCode } from './one-time-code.ts';
export { confirmPlaceNotice, placeFree } from './place-notice.ts';

/** Every email template that a job can ask for, by its name in the job. */
export const emails: { [Name in EmailTemplate]: Email<Name> } = {
  welcome,
  emailTaken: orderEmailTaken,
  emailAnnounced,
  emailChanged,
  receipt: purchaseReceipt,
  paidInPart,
  refunded: refundSent,
  refundAsks: refundNeedsCustomer,
  refundFailed,
  refundedOutOfBand,
  creditNote,
  documentLate,
  invoiceCopy,
  replaced: invoiceReplaced,
  credit: accountCredit,
  ready: subscriptionReady,
  usageNear: fairUseNear,
  usageReached: fairUseReached,
  renewalAhead: renewalReminder,
  renewed: renewalReceipt,
  upgraded: upgradeReceipt,
  downgradePlanned: downgradeScheduled,
  downgradeUndone: downgradeCancelled,
  priceChange,
  vatChange,
  priceKept: priceChangeRevoked,
  renewalFailed: renewalPaymentFailed,
  renewalDue: renewalInvoice,
  cardExpiring,
  cancelled: subscriptionCancelled,
  resumed: subscriptionResumed,
  endsSoon: subscriptionEndingSoon,
  withdrawn: withdrawalConfirmed,
  expired: subscriptionExpired,
  addressHeld: addressReserved,
  reactivated: subscriptionReactivated,
  keyAdded: deviceAdded,
  keyForYou: deviceForYou,
  keyDeleted: deviceDeleted,
  fileExpiring: configurationFileExpiring,
  teamJoined,
  teamRole,
  teamRemoved,
  urlEnded,
  passwordSet,
  loginChanged: loginSettingsChanged,
  newSession: newLogin,
  sessionStolen,
  serviceSuspended,
  serviceRestored,
  freeDays,
  accountClosed,
  accountDisabled,
  accountDeleted,
};
