import { formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import { defineEmail, type EmailContext } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { attachedReceipt, receiptContent, receiptFacts } from '../receipt-facts.ts';
import { subscriptionName } from '../subscription-name.ts';

/** Where it can be reached. Undefined once it has lost its address, and where its customer wants no such email. */
const place = ({ db, subjectId, off, isNew }: EmailContext) =>
  // A customer without a password needs the email.
  off.has('ready') && !isNew
    ? undefined
    : db
        .selectFrom('subscription')
        .innerJoin('product', 'product.id', 'subscription.product_id')
        .innerJoin('region', 'region.id', 'product.region_id')
        .innerJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
        .select(['region.id as regionId', 'region.name as region', 'product.plan_id as planId'])
        .select(sql<string>`host(static_ip.address)`.as('address'))
        .select('subscription.label')
        .where('subscription.id', '=', subjectId)
        .executeTakeFirst();

/** The receipt that goes with it: unless it went before, and always when the email is sent again. */
async function receipt(context: EmailContext) {
  const invoice = await context.db
    .selectFrom('subscription')
    .innerJoin('invoice', 'invoice.order_id', 'subscription.order_id')
    .select('invoice.id')
    .where('subscription.id', '=', context.subjectId)
    .where(eb => eb.or([eb('invoice.with_ready', '=', true), eb.val(context.copy !== undefined)]))
    .executeTakeFirst();
  return invoice && receiptFacts({ ...context, subjectId: invoice.id });
}

/**
 * Sent when a new subscription's tunnel is up. It brings the receipt as well, and alone once the subscription has lost its
 * address.
 */
export const subscriptionReady = defineEmail({
  name: 'ready',
  toEndedAccounts: true,
  together: { kind: 'ready', pace: 'sitting' },
  async load(context) {
    const facts = { place: await place(context), receipt: await receipt(context) };
    return facts.place || facts.receipt ? facts : undefined;
  },
  content(context, { place, receipt }) {
    const { t, nameOf, isNew } = context;
    if (!place) return receiptContent(context, receipt!, t('receipt.body'));
    // The address stands above the receipt.
    const paid = receipt && receiptContent(context, { ...receipt, address: '' }, '');
    const { regionId, region, address } = place;
    const values = { region: nameOf('region', regionId) ?? region, address };
    return {
      subject: t('ready.subject', { address }),
      preview: t('ready.preview', { address }),
      paragraphs: [t(isNew ? 'ready.new' : 'ready.body', values)],
      rows: [{ label: t('ready.address'), value: address, strong: true }, ...(paid?.rows ?? [])],
      action: isNew ? { ...toSubscription(context), label: t('ready.first') } : toSubscription(context),
      notes: [...(isNew ? [t('welcome.note')] : []), ...(paid?.notes ?? [])],
    };
  },
  line({ nameOf, pageUrl, language }, { place, receipt }) {
    if (!place) return undefined;
    const { regionId, region, planId, ...named } = place;
    const plan = nameOf('plans.name', planId) ?? planId;
    const paid = receipt && [receipt.number, formatMoney(receipt.total, receipt.currency, language)];
    return {
      row: {
        label: subscriptionName({ plan, ...named }),
        value: [nameOf('region', regionId) ?? region, ...(paid ?? [])].join(' · '),
        url: pageUrl,
      },
    };
  },
  attachment: async (_context, { receipt }) => receipt && attachedReceipt(receipt),
});
