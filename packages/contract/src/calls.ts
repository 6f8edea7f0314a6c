import { accountCalls } from './calls/account.ts';
import { allowListCalls } from './calls/allow-list.ts';
import { authCalls, customerCalls } from './calls/auth.ts';
import { billingCalls } from './calls/billing.ts';
import { guestCalls } from './calls/guest.ts';
import { memberCalls } from './calls/member.ts';
import { orderCalls } from './calls/order.ts';
import { payLinkCalls } from './calls/pay-link.ts';
import { paymentCalls } from './calls/payment.ts';
import { subscriptionCalls } from './calls/subscription.ts';
import { teamCalls } from './calls/team.ts';
import { textCalls } from './calls/text.ts';

/** All calls of the shop. Server, client, matrix tests and OpenAPI derive from this table. */
export const calls = {
  auth: authCalls,
  customer: customerCalls,
  account: accountCalls,
  text: textCalls,
  order: orderCalls,
  guest: guestCalls,
  billing: billingCalls,
  payment: paymentCalls,
  payLink: payLinkCalls,
  subscription: subscriptionCalls,
  allowList: allowListCalls,
  team: teamCalls,
  member: memberCalls,
};
export type ShopCalls = typeof calls;
