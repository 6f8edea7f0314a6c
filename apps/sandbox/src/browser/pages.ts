import type { FastifyInstance } from 'fastify';
import { renderSVG } from 'uqr';
import { type Html, html, sendPage } from '../html.ts';
import { sameSecret } from '../secret.ts';
import { answerPayment, answerPromptPay } from '../stripe/answers.ts';
import { answerSetup } from '../stripe/setups.ts';
import { noRequest, type StripeState } from '../stripe/state.ts';
import { mountAssets } from './assets.ts';

const INPUTS = {
  number: html`<input data-field="number" name="cardnumber" autocomplete="cc-number" inputmode="numeric" spellcheck="false" autocorrect="off">`,
  expiry: html`<input data-field="expiry" name="exp-date" autocomplete="cc-exp" inputmode="numeric" spellcheck="false" autocorrect="off">`,
  cvc: html`<input data-field="cvc" name="cvc" autocomplete="cc-csc" inputmode="numeric" spellcheck="false" autocorrect="off">`,
};
const FIELDS: Record<string, Html[]> = {
  card: [INPUTS.number, INPUTS.expiry, INPUTS.cvc],
  cardNumber: [INPUTS.number],
  cardExpiry: [INPUTS.expiry],
  cardCvc: [INPUTS.cvc],
};

type Question = { Params: { intent: string; token: string; answer: string } };

/**
 * Mounts the pages for the customer's browser: script, card fields, the bank's and PromptPay's
 * pages.
 */
export function mountBrowser(app: FastifyInstance, state: StripeState, shopOrigins: string[]): void {
  mountAssets(app, () => state.origin);

  app.get<{ Params: { type: string } }>('/v3/elements/:type', async ({ params }, reply) => {
    const fields = FIELDS[params.type];
    if (!fields) return reply.status(404).send('No such element');
    return sendPage(reply, {
      title: 'Card details',
      body: html`<link rel="stylesheet" href="/_assets/fields.css">${fields}`,
      script: '/_assets/frame.js',
      frameAncestors: shopOrigins,
      data: { element: params.type, 'shop-origins': shopOrigins.join(' ') },
    });
  });

  const openQuestion = (intent: string, token: string) => {
    const question = state.authentications.get(intent);
    return question && sameSecret(question.token, token) ? question : undefined;
  };

  app.get<Question>('/3ds/:intent/:token', async ({ params, url }, reply) => {
    const question = openQuestion(params.intent, params.token);
    if (!question) return reply.status(404).send('No such authentication');
    const over = question.state !== 'open';
    return sendPage(reply, {
      title: '3D Secure (sandbox)',
      body: html`<main class="question">
<h1>Your bank asks</h1>
<p>This page stands in for the 3D Secure page of the customer's bank. No money moves.</p>
${
  over
    ? html`<p>This question was answered already.</p>`
    : html`<button class="primary" disabled data-post="${url}/complete" data-testid="3ds-complete">Complete</button>
<button disabled data-post="${url}/fail" data-testid="3ds-fail">Fail</button>`
}
</main>`,
      script: '/_assets/question.js',
      frameAncestors: shopOrigins,
    });
  });

  app.post<Question>('/3ds/:intent/:token/:answer', async ({ params }, reply) => {
    const question = openQuestion(params.intent, params.token);
    if (question?.state !== 'open' || !['complete', 'fail'].includes(params.answer)) {
      return reply.status(404).send({ error: 'No such open authentication' });
    }
    answerThreeDs(state, params.intent, params.answer === 'complete' ? 'completed' : 'failed');
    return { redirect: question.returnUrl ? returnAddress(state, params.intent, question.returnUrl) : null };
  });

  app.get<{ Params: { intent: string } }>('/promptpay/:intent', async ({ params, url }, reply) => {
    const code = qrCode(state, params.intent);
    if (!code) return reply.status(404).send('No such open PromptPay payment');
    return sendPage(reply, {
      title: 'PromptPay (sandbox)',
      body: html`<main class="question">
<h1>Scan to pay</h1>
<p>This page stands in for PromptPay. No money moves.</p>
<p><img src="${url}/qr.svg" width="240" height="240" alt="PromptPay QR code"></p>
<p><code>${code}</code></p>
<button class="primary" disabled data-post="${url}/pay" data-testid="promptpay-pay">Pay</button>
<button disabled data-post="${url}/expire" data-testid="promptpay-expire">Let it expire</button>
<button disabled data-close data-testid="promptpay-close">Close</button>
</main>`,
      script: '/_assets/question.js',
      frameAncestors: shopOrigins,
    });
  });

  // The same vector image under both names: an <img> shows either.
  for (const picture of ['qr.svg', 'qr.png']) {
    app.get<{ Params: { intent: string } }>(`/promptpay/:intent/${picture}`, async ({ params }, reply) => {
      const code = qrCode(state, params.intent);
      if (!code) return reply.status(404).send('No such open PromptPay payment');
      return reply.type('image/svg+xml').send(renderSVG(code));
    });
  }

  app.post<{ Params: { intent: string; answer: string } }>(
    '/promptpay/:intent/:answer',
    async ({ params }, reply) => {
      const intent = state.intents.get(params.intent);
      if (!intent || !qrCode(state, params.intent) || !['pay', 'expire'].includes(params.answer)) {
        return reply.status(404).send({ error: 'No such open PromptPay payment' });
      }
      answerPromptPay(state, noRequest, intent, params.answer === 'pay');
      return { redirect: null };
    },
  );
}

/** The QR code of a payment; undefined when it cannot be scanned. */
export const qrCode = (state: StripeState, id: string) => {
  const intent = state.intents.get(id);
  return intent?.status === 'requires_action'
    ? intent.next_action?.promptpay_display_qr_code?.data
    : undefined;
};

/** Records the customer's answer to the bank's question about a payment or a setup. */
export function answerThreeDs(state: StripeState, id: string, answer: 'completed' | 'failed'): void {
  const intent = state.intents.get(id);
  const setup = state.setups.get(id);
  if (intent) answerPayment(state, noRequest, intent, answer);
  else if (setup) answerSetup(state, noRequest, setup, answer);
}

function returnAddress(state: StripeState, id: string, returnUrl: string): string {
  const intent = state.intents.get(id) ?? state.setups.get(id)!;
  const kind = intent.object;
  const url = new URL(returnUrl);
  url.searchParams.set(kind, id);
  url.searchParams.set(`${kind}_client_secret`, intent.client_secret ?? '');
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed');
  return url.href;
}
