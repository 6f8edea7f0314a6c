import type { EmailContext } from './define-email.ts';
import { isChargedAutomatically, type SubscriptionFacts } from './subscription-facts.ts';

/** Whether the next payment is an automatic charge, which happens before the paid period is over. */
export const isNextPaymentAutomatic = async (
  context: EmailContext,
  facts: SubscriptionFacts,
): Promise<boolean> => (await isChargedAutomatically(context, facts)) && facts.row.invoice_id === null;

/** Says what the next payment is and, where it is charged automatically, on which day. */
export const nextPaymentText = (
  { t }: EmailContext,
  { values, chargeDay, isAutomatic }: SubscriptionFacts & { isAutomatic: boolean },
): string =>
  isAutomatic ? t('resumed.preview', { ...values, date: chargeDay }) : t('renewalAhead.preview', values);
