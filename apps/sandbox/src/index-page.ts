import type { FastifyInstance } from 'fastify';
import { html, sendPage } from './html.ts';
import { testCards } from './stripe/cards.ts';

const CONTROL = [
  'POST /_sbx/reset {seed?}',
  'GET /_sbx/clock, POST /_sbx/clock/advance {ms}',
  'GET /_sbx/deliveries, POST /_sbx/redeliver {event?, times?, shuffle?: seed}',
  'POST /_sbx/promptpay/pay | expire {intent}',
  'POST /_sbx/3ds/complete | fail {intent}',
  'POST /_sbx/disputes/open {charge | payment_intent, reason?, inquiry?}, /_sbx/disputes/close {dispute, outcome}',
  'POST /_sbx/refunds/settle {refund, outcome}',
  'GET /_sbx/ledger, /_sbx/paypal/ledger, /_sbx/btcpay/ledger',
  'POST /_sbx/paypal/approve {order, funding?: balance | bank | refusedCard}',
  'POST /_sbx/paypal/captures/settle {capture, outcome: completed | declined}',
  'POST /_sbx/paypal/refunds/return {refund}, /_sbx/paypal/disputes/open {capture, reason?, inquiry?} | close {dispute, outcome}',
  'POST /_sbx/paypal/vault/late | report/late {ms}, /_sbx/paypal/vault/revoke {token}',
  'POST /_sbx/btcpay/pay {invoice, amount? | share?}, /_sbx/btcpay/expire {invoice}',
  'POST /_sbx/btcpay/confirm | doubleSpend | reorganise {invoice, payment?}',
  'POST /_sbx/btcpay/rate {currency, rate}, /_sbx/btcpay/claim {pullPayment, destination}',
  'POST /_sbx/btcpay/payouts/settle {pullPayment, outcome}',
  'GET, POST, DELETE /_sbx/faults {match, do, times?, probability?, seed?}',
];

/** Mounts `GET /`: what is here, for a developer who opens the sandbox in a browser. */
export function mountIndexPage(app: FastifyInstance): void {
  const cards = testCards.map(
    card =>
      html`<tr><td><code>${card.number}</code></td><td><code>pm_card_${card.name}</code></td><td>${effect(card)}</td></tr>`,
  );
  app.get('/', async (_, reply) =>
    sendPage(reply, {
      title: 'Sandbox',
      body: html`<main><h1>Stand-in providers</h1>
<p>This process plays the payment providers and the mail server for the shop. No money moves and no mail leaves.</p>
<ul><li><a href="/stripe">What Stripe believes</a></li><li><a href="/paypal">PayPal</a></li><li><a href="/btcpay">BTCPay</a></li><li><a href="/mail">Mail that the shop sent</a></li><li><a href="#cards">Test cards</a></li><li><a href="#control">Control interface</a></li></ul>
<h2 id="cards">Test cards</h2>
<p>Any expiry in the future and any security code will do.</p>
<table><thead><tr><th>Number</th><th>Name</th><th>What happens</th></tr></thead><tbody>${cards}</tbody></table>
<h2 id="control">Control interface</h2>
<p>For tests; needs the control token (<code>Authorization: Bearer …</code>).</p>
<ul>${CONTROL.map(line => html`<li><code>${line}</code></li>`)}</ul></main>`,
    }),
  );
}

function effect(card: (typeof testCards)[number]): string {
  const asks = {
    always: 'the bank asks each time',
    untilSetUp: 'the bank asks until it is set up',
    setUpAlready: 'the bank asks while the customer is there',
    optional: 'the bank asks if the shop wants it',
  };
  const effects = [
    card.authentication && asks[card.authentication],
    card.decline && `declined: ${card.decline.decline_code}${card.attaches ? ' (can be saved)' : ''}`,
    card.dispute && `paid, then disputed: ${card.dispute.reason}${card.dispute.inquiry ? ' (inquiry)' : ''}`,
    card.refund && `paid; a refund ${card.refund === 'fails' ? 'fails later' : 'is pending at first'}`,
  ].filter(Boolean);
  return effects.join('; ') || 'paid';
}
