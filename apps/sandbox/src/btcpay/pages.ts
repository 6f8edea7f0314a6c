import type { FastifyInstance } from 'fastify';
import { renderSVG } from 'uqr';
import { type Html, html, sendPage } from '../html.ts';
import { accountOf } from './account.ts';
import { bitcoins, DUST, money } from './amounts.ts';
import { movePayments, receive, watch } from './invoices.ts';
import { claim, settlePayouts } from './pull-payments.ts';
import type { BtcpayState, Invoice, PullPayment } from './state.ts';

/** Actions of a person on an invoice: the buyer's wallet, the miners, the time. */
const ACTIONS: Record<string, { label: string; run(state: BtcpayState, invoice: Invoice): void }> = {
  pay: { label: 'Send what is missing', run: (state, invoice) => send(state, invoice, 1) },
  half: { label: 'Send half of it', run: (state, invoice) => send(state, invoice, 0.5) },
  double: { label: 'Send twice as much', run: (state, invoice) => send(state, invoice, 2) },
  confirm: {
    label: 'Mine a block: confirm',
    run: (state, invoice) => movePayments(state, invoice, 'Settled', one => one.status === 'Processing'),
  },
  doubleSpend: {
    label: 'Double-spend what is not confirmed',
    run: (state, invoice) => movePayments(state, invoice, 'Invalid', one => one.status === 'Processing'),
  },
  expire: {
    label: 'Let its time end',
    run: (state, invoice) =>
      watch(state, state.invoices.put(invoice.id, { ...invoice, expiresAt: state.clock.seconds() })),
  },
};

/** Sends a share of the missing amount, or of the price when nothing is missing; never dust. */
function send(state: BtcpayState, invoice: Invoice, share: number): void {
  const { wanted, due } = accountOf(invoice);
  receive(state, invoice, Math.max(DUST, Math.round((due > 0 ? due : wanted) * share)));
}

type Named = { Params: { id: string; action: string } };

/** Mounts the pages where a person pays an invoice, or claims a refund. */
export function mountBtcpayPages(app: FastifyInstance, state: BtcpayState): void {
  app.get<Named>('/i/:id', async ({ params }, reply) => {
    const invoice = state.invoices.get(params.id);
    if (!invoice) return reply.status(404).send('No such invoice');
    return sendPage(reply, {
      title: 'BTCPay (sandbox)',
      body: invoicePage(invoice),
      script: '/_assets/question.js',
    });
  });

  app.get<Named>('/i/:id/qr.svg', async ({ params }, reply) => {
    const invoice = state.invoices.get(params.id);
    if (!invoice) return reply.status(404).send('No such invoice');
    return reply.type('image/svg+xml').send(renderSVG(`bitcoin:${invoice.address}`));
  });

  app.post<Named>('/i/:id/:action', async ({ params }, reply) => {
    const invoice = state.invoices.get(params.id);
    const action = Object.hasOwn(ACTIONS, params.action) ? ACTIONS[params.action] : undefined;
    if (!invoice || !action) return reply.status(404).send({ error: 'No such invoice or action' });
    action.run(state, invoice);
    return { redirect: `/i/${invoice.id}` };
  });

  app.get<Named>('/pull-payments/:id', async ({ params }, reply) => {
    const pull = state.pullPayments.get(params.id);
    if (!pull) return reply.status(404).send('No such refund');
    return sendPage(reply, {
      title: 'Refund (sandbox)',
      body: refundPage(pull),
      script: '/_assets/question.js',
    });
  });

  app.post<Named>('/pull-payments/:id/:action', async ({ params }, reply) => {
    const pull = state.pullPayments.get(params.id);
    if (!pull) return reply.status(404).send({ error: 'No such refund' });
    if (params.action === 'claim') claim(state, pull, `bcrt1q${pull.id.toLowerCase()}`);
    else if (params.action === 'paid') settlePayouts(state, pull, 'Completed');
    else if (params.action === 'cancelled') settlePayouts(state, pull, 'Cancelled');
    else return reply.status(404).send({ error: 'No such action' });
    return { redirect: `/pull-payments/${pull.id}` };
  });
}

const button = (url: string, action: string, label: string): Html =>
  html`<button disabled data-post="${url}/${action}" data-testid="btcpay-${action}">${label}</button>`;

function invoicePage(invoice: Invoice): Html {
  const { wanted, paid, due } = accountOf(invoice);
  const rows = invoice.payments.map(
    ({ id, satoshi, status }) =>
      html`<tr><td><code>${id.slice(0, 16)}…</code></td><td>${bitcoins(satoshi)} BTC</td><td>${status}</td></tr>`,
  );
  return html`<main class="question">
<h1>Pay with bitcoin</h1>
<p>This page stands in for BTCPay Server, a wallet and the miners. No money moves.</p>
<p><img src="/i/${invoice.id}/qr.svg" width="200" height="200" alt="QR code of the address"></p>
<p><code>${invoice.address}</code></p>
<p>${money(invoice.price)} ${invoice.currency} = ${bitcoins(wanted)} BTC. Paid: ${bitcoins(paid)} BTC, missing: ${bitcoins(Math.max(due, 0))} BTC.</p>
<p data-testid="btcpay-state">${invoice.status} (${invoice.additionalStatus})</p>
${rows.length ? html`<table><tbody>${rows}</tbody></table>` : ''}
${Object.entries(ACTIONS).map(([action, { label }]) => button(`/i/${invoice.id}`, action, label))}
</main>`;
}

function refundPage(pull: PullPayment): Html {
  const rows = pull.payouts.map(
    ({ amount, state }) => html`<tr><td>${money(amount)} ${pull.currency}</td><td>${state}</td></tr>`,
  );
  const url = `/pull-payments/${pull.id}`;
  return html`<main class="question">
<h1>${pull.name}</h1>
<p>${pull.description}</p>
<p>${money(pull.amount)} ${pull.currency} wait for an address to go to. This page stands in for BTCPay Server; no money moves.</p>
${rows.length ? html`<table><tbody>${rows}</tbody></table>` : ''}
${button(url, 'claim', 'Claim it to a wallet of mine')}
${button(url, 'paid', 'The shop pays it')}
${button(url, 'cancelled', 'The shop refuses')}
</main>`;
}
