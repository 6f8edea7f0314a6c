import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { type Html, html, sendPage } from '../html.ts';
import { PaypalRefusal } from './errors.ts';
import { approve, findOrder } from './orders.ts';
import type { PaypalState } from './state.ts';

const WAYS = [
  ['balance', 'PayPal balance'],
  ['bank', 'Bank account: pending until the bank has answered'],
  ['refusedCard', 'A card that will be refused'],
] as const;

const answerSchema = z.object({
  answer: z.enum(['approve', 'cancel']),
  funding: z.enum(['balance', 'bank', 'refusedCard']).default('balance'),
});

type Query = { Querystring: { token?: string } };

/** Mounts the page on which a buyer approves; it works without scripts. */
export function mountPaypalPages(app: FastifyInstance, state: PaypalState): void {
  app.register(async pages => {
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );

    pages.get<Query>('/checkoutnow', async ({ query }, reply) => {
      const order = orderOf(state, query.token);
      const approval = state.approvals.get(query.token ?? '');
      if (!order || !approval) return sendGone(reply);
      const [{ amount, description }] = order.purchase_units;
      const paid = order.status === 'COMPLETED';
      return sendPage(reply, {
        title: 'PayPal (sandbox)',
        body: html`<main class="question">
<h1>Pay with PayPal</h1>
<p>This page stands in for PayPal. No money moves.</p>
<p class="amount">${amount.currency_code} ${amount.value}</p>
${description ? html`<p>${description}</p>` : ''}
${paid ? paidAlready(approval.returnUrl) : questions(approval.keeps)}
</main>`,
        // The answer redirects to the shop, which the browser counts as the form's target too.
        formAction: [
          "'self'",
          ...new Set([approval.returnUrl, approval.cancelUrl].map(url => new URL(url).origin)),
        ],
      });
    });

    pages.post<Query>('/checkoutnow', async ({ query, body }, reply) => {
      const order = orderOf(state, query.token);
      const approval = state.approvals.get(query.token ?? '');
      if (!order || !approval) return sendGone(reply);
      const { answer, funding } = answerSchema.parse(body);
      if (answer === 'cancel') return reply.redirect(withToken(approval.cancelUrl, order.id), 303);
      if (order.status !== 'COMPLETED') approve(state, order.id, funding);
      const back = withToken(approval.returnUrl, order.id, 'BUYER7SANDB2X');
      return reply.redirect(back, 303);
    });
  });
}

const questions = (keeps: boolean): Html => html`<form method="post">
<fieldset>
<legend>Pay with</legend>
${WAYS.map(
  ([value, label], index) =>
    html`<label><input type="radio" name="funding" value="${value}"${index === 0 ? html` checked` : ''}> ${label}</label>`,
)}
</fieldset>
${keeps ? html`<p>The shop may charge this account again for renewals.</p>` : ''}
<button class="primary" name="answer" value="approve" data-testid="paypal-approve">Agree and pay now</button>
<button name="answer" value="cancel" data-testid="paypal-cancel">Cancel and return to the shop</button>
</form>`;

const paidAlready = (returnUrl: string): Html =>
  html`<p>This was paid already. <a href="${returnUrl}">Return to the shop</a></p>`;

function orderOf(state: PaypalState, id: string | undefined) {
  try {
    return id ? findOrder(state, id) : undefined;
  } catch (error) {
    if (error instanceof PaypalRefusal) return undefined;
    throw error;
  }
}

const sendGone = (reply: FastifyReply) =>
  sendPage(reply.status(404), {
    title: 'PayPal (sandbox)',
    body: html`<main class="question"><h1>Things don’t appear to be working</h1>
<p>This payment does not exist, or its time is over. Go back to the shop and begin again.</p></main>`,
  });

/** Adds PayPal's parameters to the shop's address, before the part behind `#`. */
function withToken(address: string, token: string, payer?: string): string {
  const url = new URL(address);
  url.searchParams.set('token', token);
  if (payer) url.searchParams.set('PayerID', payer);
  return url.href;
}
