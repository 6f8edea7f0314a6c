import type { FastifyInstance } from 'fastify';
import type { Deliveries } from '../delivery/queue.ts';
import { type Html, html, sendPage } from '../html.ts';
import { paypalLedger } from './ledger.ts';
import type { PaypalWorld } from './world.ts';

/** Mounts `GET /paypal`: what PayPal holds to be true, and what became of the webhooks that it sent. */
export function mountPaypalBeliefs(app: FastifyInstance, world: PaypalWorld, deliveries: Deliveries): void {
  app.get('/paypal', async (_, reply) => {
    const { orders, captures, refunds, balances, tokens } = paypalLedger(world);
    return sendPage(reply, {
      title: 'PayPal (sandbox)',
      body: html`<main class="wide"><h1>What PayPal believes</h1>
<h2>Orders</h2>
${table(
  ['Order', 'State', 'Amount', 'The shop’s name for it'],
  orders.map(one => [one.order, one.status, `${one.currency} ${one.amount}`, one.customId ?? '']),
)}
<h2>Payments</h2>
${table(
  ['Payment', 'Order', 'State', 'Amount', 'Fee'],
  captures.map(one => [one.capture, one.order, one.status, `${one.currency} ${one.amount}`, one.fee ?? '']),
)}
<h2>Refunds</h2>
${table(
  ['Refund', 'Order', 'State', 'Amount', 'The shop’s name for it'],
  refunds.map(one => [
    one.refund,
    one.order,
    one.status,
    `${one.currency} ${one.amount}`,
    one.customId ?? '',
  ]),
)}
<h2>Balance</h2>
${table(
  ['Currency', 'In and out', 'Fees', 'Left, in the smallest unit'],
  Object.entries(balances).map(([currency, { gross, fees, net }]) => [currency, gross, fees, net]),
)}
<h2>Kept accounts</h2>
${table(
  ['Token'],
  tokens.map(token => [token]),
)}
<h2>Webhooks</h2>
${table(
  ['Event', 'State', 'Answers'],
  deliveries
    .all()
    .map(({ type, state, tries }) => [
      type,
      state,
      tries.map(({ status, error }) => status ?? error ?? '').join(', '),
    ]),
)}
</main>`,
    });
  });
}

/** The newest first. */
const table = (heads: string[], rows: (string | number)[][]): Html =>
  rows.length === 0
    ? html`<p>None.</p>`
    : html`<div class="scroll"><table><thead><tr>${heads.map(head => html`<th>${head}</th>`)}</tr></thead><tbody>${rows
        .toReversed()
        .map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
