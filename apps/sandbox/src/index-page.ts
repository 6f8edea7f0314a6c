import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import { html, sendPage } from './html.ts';
import { testCards } from './stripe/cards.ts';

const CONTROL = [
  'POST reset {seed?}',
  'GET clock, POST clock/advance {ms}',
  'GET deliveries, deliveries/settled, POST redeliver {event?, times?, shuffle?: seed}',
  'POST promptpay/pay, promptpay/expire {intent}',
  'POST 3ds/complete, 3ds/fail {intent}',
  'POST disputes/open {charge | payment_intent, reason?, inquiry?, amount?}, disputes/close {dispute, outcome, refundable?}',
  'POST lock {object, ms}',
  'POST settlement {currency?}, payouts {currency, amount}, payouts/settle {payout, outcome: paid | failed}',
  'POST bills {kind?: fee | tax | adjustment | reserve, currency, amount, description?}',
  'POST refunds/settle {refund, outcome}, refunds/window {days?}',
  'POST cards/renew {payment_method, exp_month, exp_year, number?}',
  'GET ledger, paypal/ledger, btcpay/ledger',
  'POST paypal/approve {order, funding?: balance | bank | refusedCard}',
  'POST paypal/captures/settle {capture, outcome: completed | declined}, paypal/captures/reverse {capture, amount?}',
  'POST paypal/refunds/return {refund}, paypal/refunds/refuse {capture, issue?}',
  'POST paypal/disputes/open {capture, reason?, inquiry?, channel?: INTERNAL | EXTERNAL}, paypal/disputes/close {dispute, outcome, amount?}, paypal/disputes/fee {dispute, amount}',
  'POST paypal/vault/late, paypal/report/late {ms}, paypal/vault/revoke {token}',
  'POST btcpay/pay {invoice, amount? | share?}, btcpay/expire {invoice}',
  'POST btcpay/confirm, btcpay/doubleSpend {invoice, payment?}, btcpay/reorganise {invoice, payment?, replaced?}',
  'POST btcpay/rate {currency, rate}, btcpay/rights {rights}',
  'POST btcpay/claim {pullPayment, destination}, btcpay/payouts/settle {pullPayment, outcome}, btcpay/archive {pullPayment}',
  'GET, POST, DELETE faults {match, do, times?, probability?, seed?}',
];

/** Spans by which the page advances time. */
const SPANS = { '1': 'a day', '3': 'three days', '7': 'a week', '30': '30 days', '365': 'a year' };
const wanted = z.object({ days: z.enum(Object.keys(SPANS) as (keyof typeof SPANS)[]).transform(Number) });
const DAY_MS = 24 * 60 * 60_000;

/**
 * Mounts `GET /`: an overview for a developer who opens the sandbox in a browser.
 * @param pass advances the shop's clock and this sandbox's; returns why it could not
 */
export function mountIndexPage(
  app: FastifyInstance,
  clock: Clock,
  pass: (ms: number) => Promise<string | undefined>,
): void {
  const cards = testCards.map(
    card =>
      html`<tr><td><code>${card.number}</code></td><td><code>pm_card_${card.name}</code></td><td>${effect(card)}</td></tr>`,
  );
  app.register(async form => {
    form.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    form.post('/clock', async (request, reply) => {
      // Pages of other sites may not advance it.
      const { origin, host } = request.headers;
      if (origin !== `http://${host}`) return reply.status(403).send({ error: 'Another origin' });
      const fault = await pass(wanted.parse(request.body).days * DAY_MS);
      if (fault) return reply.status(503).send({ error: fault });
      return reply.redirect('/#clock', 303);
    });
  });
  app.get('/', async (_, reply) =>
    sendPage(reply, {
      title: 'Sandbox',
      formAction: ["'self'"],
      body: html`<main><h1>Sandbox providers</h1>
<p>This process simulates the payment providers and the mail server for the shop. No money moves and no mail leaves.</p>
<ul><li><a href="/stripe">Stripe</a></li><li><a href="/paypal">PayPal</a></li><li><a href="/btcpay">BTCPay</a></li><li><a href="/mail">Mail that the shop sent</a></li><li><a href="#clock">Clock</a></li><li><a href="#cards">Test cards</a></li><li><a href="#control">Control interface</a></li></ul>
<p>Some steps need a payer, a miner or a receiver. Take them on pages that the tables of <a href="/stripe">Stripe</a>, <a href="/paypal">PayPal</a> and <a href="/btcpay">BTCPay</a> link to: scan a PromptPay code, approve an order, send coins, confirm them by a block, claim a refund.</p>
<h2 id="clock">Clock</h2>
<p>It is ${new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC, here and in the shop. Advance it to trigger renewals, reminders and deadlines. A year with a dozen subscriptions takes a minute and a half.</p>
<form method="post" action="/clock"><p><select name="days" aria-label="How long">${Object.entries(SPANS).map(([days, name]) => html`<option value="${days}">${name}</option>`)}</select> <button>Let time pass</button></p></form>
<h2 id="cards">Test cards</h2>
<p>Use any future expiry and any security code.</p>
<table><thead><tr><th>Number</th><th>Name</th><th>What happens</th></tr></thead><tbody>${cards}</tbody></table>
<h2 id="control">Control interface</h2>
<p>For tests, below <code>/_sbx/</code>; needs the control token (<code>Authorization: Bearer …</code>).</p>
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
