import type { payLinkCalls } from '@fixpoint/contract/calls/pay-link.ts';
import type { DataOf, Received } from '@fixpoint/contract/endpoint.ts';
import type { NotNull } from 'kysely';
import type { Caller } from '../../../kernel/caller.ts';
import { isRefusal, type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentMethod } from '../../../ports/payment-gateway.ts';
import { amountDueOf } from '../../billing/index.ts';
import { askInvoice, meansOf, pay, stateOfPayment } from '../attempt/index.ts';
import { admitTry } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { invoiceOfToken } from './token.ts';

export type PayLinkDeps = PaymentDeps & {
  /** HMAC of the links that pay one invoice. */
  payLinkSeal(text: string): Buffer;
  /** Methods that take an amount. */
  methods(currency: string, amount: number): Promise<{ method: PaymentMethod }[]>;
};

type State = DataOf<(typeof payLinkCalls)['pay']>;

/** What the page behind a link shows: the open invoice, or that it is over. */
export async function readLinkedInvoice(
  deps: PayLinkDeps,
  token: string,
): Promise<Refusal | DataOf<(typeof payLinkCalls)['invoice']>> {
  const invoice = await linkedInvoice(deps, token);
  if (!invoice) return refuse('tokenInvalid');
  const { status, reference, currency, period_start, period_end } = invoice;
  const amount = amountDueOf(invoice);
  if (amount === undefined) return { status };
  const methods = await deps.methods(currency, amount);
  return {
    status,
    open: {
      reference,
      ...(period_start &&
        period_end && { period: { start: period_start.toISOString(), end: period_end.toISOString() } }),
      currency,
      amount,
      methods: methods.map(({ method }) => method),
    },
  };
}

/** Pays the invoice of a link by a method that the payer brings. A repeated call continues the same payment. */
export async function payByLink(
  deps: PayLinkDeps,
  token: string,
  { paymentMethod, card }: Received<(typeof payLinkCalls)['pay']>['body'],
  caller: Caller,
): Promise<Refusal | State> {
  const invoice = await linkedInvoice(deps, token);
  if (!invoice) return refuse('tokenInvalid');
  const { id, customerId, status } = invoice;
  if (status !== 'open') return { status };
  // Counted like a guest's: whoever has the link is not the customer.
  const admitted = await admitTry(deps, { subject: id, customerId: null, brake: false }, caller);
  if (isRefusal(admitted)) return admitted;
  const means = await meansOf(deps, customerId, { paymentMethod, card });
  if (isRefusal(means)) return means;
  const paid = await pay(deps, {
    invoice: { id, customerId },
    method: paymentMethod,
    admitted,
    means,
    byLink: true,
  });
  return isRefusal(paid) ? paid : stateAfter(deps, token, paid);
}

/** The state of a link's invoice and of a payment that was begun by its link, as the gateway reports it. */
export async function askByLink(deps: PayLinkDeps, token: string): Promise<Refusal | State> {
  const invoice = await linkedInvoice(deps, token);
  if (!invoice) return refuse('tokenInvalid');
  if (invoice.status !== 'open') return { status: invoice.status };
  return stateAfter(deps, token, { paying: await askInvoice(deps, invoice.id, { byLink: true }) });
}

async function stateAfter(
  deps: PayLinkDeps,
  token: string,
  paid: Parameters<typeof stateOfPayment>[2],
): Promise<State> {
  const { status, ...invoice } = (await linkedInvoice(deps, token))!;
  return status === 'open' ? { status, ...(await stateOfPayment(deps, invoice, paid)) } : { status };
}

/** The invoice of a link. Undefined for a token that the shop has not made, and for a draft. */
async function linkedInvoice({ db, payLinkSeal }: PayLinkDeps, token: string) {
  const id = invoiceOfToken(payLinkSeal, token);
  return id ? await byId(db, id) : undefined;
}

const byId = (db: Db, id: string) =>
  db
    .selectFrom('invoice')
    .select(['id', 'customer_id as customerId', 'status', 'reference', 'currency', 'total'])
    .select(['credit_used', 'prepaid', 'prorated', 'carried_out', 'carried_in'])
    .select(['period_start', 'period_end'])
    .where('id', '=', id)
    .where('customer_id', 'is not', null)
    .where('status', '<>', 'draft')
    .$narrowType<{ customerId: NotNull; status: 'open' | 'paid' | 'void' }>()
    .executeTakeFirst();
