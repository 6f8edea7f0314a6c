import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { answerThreeDs } from '../browser/pages.ts';
import { btcpayControl } from '../btcpay/control.ts';
import { BtcpayRefusal } from '../btcpay/errors.ts';
import { btcpayLedger } from '../btcpay/ledger.ts';
import type { BtcpayState } from '../btcpay/state.ts';
import type { Deliveries } from '../delivery/queue.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import { paypalControl } from '../paypal/control.ts';
import { PaypalRefusal } from '../paypal/errors.ts';
import { paypalLedger } from '../paypal/ledger.ts';
import type { PaypalState } from '../paypal/state.ts';
import { createRandom } from '../random.ts';
import { sameSecret } from '../secret.ts';
import { answerPromptPay } from '../stripe/answers.ts';
import { bill, billKinds } from '../stripe/bills.ts';
import { passesLuhn } from '../stripe/cards.ts';
import { closeDispute, openDispute } from '../stripe/disputes.ts';
import { StripeRefusal } from '../stripe/errors.ts';
import { settle, settles } from '../stripe/exchange.ts';
import { lock } from '../stripe/locks.ts';
import { renewByNetwork } from '../stripe/methods.ts';
import { payOut, settlePayout } from '../stripe/payouts.ts';
import { giveBankDetails, limitRefunds, settleRefund } from '../stripe/refunds.ts';
import { noRequest, type StripeState } from '../stripe/state.ts';
import { type Faults, faultSchema } from './faults.ts';
import { ledger } from './ledger.ts';
import { missing } from './missing.ts';
import type { Post } from './post.ts';

type ControlContext = {
  state: StripeState;
  btcpay: BtcpayState;
  paypal: PaypalState;
  faults: Faults;
  /** One per provider. */
  deliveries: Deliveries[];
  mailbox: Mailbox;
  token: string;
  /** Empties everything; ids start from `seed` if one is given. */
  reset(seed: string | undefined): void;
  /** Advances the clock, saves its offset and runs what is due. */
  advance(ms: number): void;
};

const intent = z.strictObject({ intent: z.string() });
const chargeOrIntent = z.strictObject({
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  reason: z.string().default('fraudulent'),
  inquiry: z.boolean().default(false),
  amount: z.number().int().min(1).optional(),
});

const renewal = z.strictObject({
  payment_method: z.string(),
  exp_month: z.number().int().min(1).max(12),
  exp_year: z.number().int().min(2000),
  number: z.string().refine(passesLuhn, 'must be the number of a card').optional(),
});

/** Mounts `/_sbx/*`, by which tests control the sandbox. Every call needs the control token. */
export function mountControl(app: FastifyInstance, context: ControlContext): void {
  const { state, paypal, btcpay, faults, deliveries, mailbox } = context;

  app.register(async control => {
    control.addHook('onRequest', async (request, reply) => {
      const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      if (!sameSecret(given, context.token)) return reply.status(401).send({ error: 'Wrong control token' });
    });
    control.setErrorHandler((error, _, reply) => refuse(error, reply));

    const post: Post = (path, schema, run) =>
      control.post(
        `/_sbx/${path}`,
        async request => (await run(schema.parse(request.body ?? {}))) ?? { ok: true },
      );

    post('reset', z.strictObject({ seed: z.string().optional() }), ({ seed }) => {
      context.reset(seed);
      faults.clear();
      mailbox.clear();
    });

    control.get('/_sbx/clock', async () => ({ now: state.clock.now() }));
    post('clock/advance', z.strictObject({ ms: z.number().int().positive() }), ({ ms }) => {
      context.advance(ms);
      return { now: state.clock.now() };
    });

    control.get('/_sbx/deliveries', async () => ({ deliveries: deliveries.flatMap(queue => queue.all()) }));
    control.get('/_sbx/deliveries/settled', async () => {
      await Promise.all(deliveries.map(queue => queue.settled()));
      return { ok: true };
    });
    post(
      'redeliver',
      z.strictObject({
        event: z.string().optional(),
        times: z.number().int().min(1).max(100).default(1),
        shuffle: z.string().optional(),
      }),
      ({ event, times, shuffle }) => {
        const all = deliveries.flatMap(queue => queue.events().map(id => ({ queue, id })));
        const chosen = event ? all.filter(({ id }) => id === event) : all;
        if (event && chosen.length === 0) missing('event', event);
        const repeated = Array.from({ length: times }, () => chosen).flat();
        const ordered = shuffle === undefined ? repeated : shuffled(repeated, createRandom(shuffle));
        for (const { queue, id } of ordered) queue.redeliver(id);
        return { redelivered: repeated.length };
      },
    );

    /** Finds an intent by its QR code. */
    const byCode = (code: string) =>
      state.intents.all().find(one => one.next_action?.promptpay_display_qr_code?.data === code);
    const answerQr = (id: string, paid: boolean) => {
      const shown = state.intents.get(id) ?? byCode(id) ?? missing('intent', id);
      answerPromptPay(state, noRequest, shown, paid);
    };
    post('promptpay/pay', intent, given => answerQr(given.intent, true));
    post('promptpay/expire', intent, given => answerQr(given.intent, false));

    const answerBank = (id: string, answer: 'completed' | 'failed') => {
      if (state.authentications.get(id)?.state !== 'open') missing('open 3-D Secure question for', id);
      answerThreeDs(state, id, answer);
    };
    post('3ds/complete', intent, given => answerBank(given.intent, 'completed'));
    post('3ds/fail', intent, given => answerBank(given.intent, 'failed'));

    post('disputes/open', chargeOrIntent, given => {
      const paid = given.payment_intent ? state.intents.get(given.payment_intent) : undefined;
      const charge = given.charge ?? String(paid?.latest_charge);
      return openDispute(state, noRequest, charge, given);
    });
    post(
      'disputes/close',
      z.strictObject({
        dispute: z.string(),
        outcome: z.enum(['won', 'lost']),
        refundable: z.boolean().optional(),
      }),
      ({ dispute, outcome, refundable }) =>
        closeDispute(
          state,
          noRequest,
          state.disputes.get(dispute) ?? missing('dispute', dispute),
          outcome,
          refundable,
        ),
    );
    post('lock', z.strictObject({ object: z.string(), ms: z.number().int().min(0) }), ({ object, ms }) =>
      lock(state, object, ms),
    );
    const settlement = z.strictObject({
      currency: z.string().refine(settles, 'has no rate here').optional(),
    });
    post('settlement', settlement, ({ currency }) => settle(state, currency));

    const payout = z.strictObject({
      currency: z.string(),
      amount: z.number().int().min(1),
      destination: z.string().optional(),
    });
    post('payouts', payout, ({ currency, amount, destination }) =>
      payOut(state, noRequest, currency, amount, destination),
    );
    post(
      'payouts/settle',
      z.strictObject({ payout: z.string(), outcome: z.enum(['paid', 'failed']) }),
      ({ payout: id, outcome }) =>
        settlePayout(state, noRequest, state.payouts.get(id) ?? missing('payout', id), outcome),
    );
    post(
      'bills',
      z.strictObject({
        kind: z.enum(billKinds).default('fee'),
        currency: z.string(),
        amount: z.number().int(),
        description: z.string().optional(),
      }),
      ({ kind, currency, amount, description }) => bill(state, kind, currency, amount, description),
    );
    post('refunds/window', z.strictObject({ days: z.number().int().min(1).optional() }), ({ days }) =>
      limitRefunds(state, days),
    );

    post(
      'refunds/settle',
      z.strictObject({ refund: z.string(), outcome: z.enum(['pending', 'succeeded', 'failed']) }),
      ({ refund, outcome }) => {
        const found = state.refunds.get(refund) ?? missing('refund', refund);
        if (outcome === 'pending') return giveBankDetails(state, noRequest, found);
        return settleRefund(state, noRequest, found, outcome);
      },
    );

    post('cards/renew', renewal, ({ payment_method: id, exp_month: expMonth, exp_year: expYear, number }) => {
      const method = state.paymentMethods.get(id) ?? missing('payment method', id);
      return renewByNetwork(state, method, { expMonth, expYear, number });
    });

    control.get('/_sbx/ledger', async () => ledger(state));
    control.get('/_sbx/paypal/ledger', async () => paypalLedger(paypal));
    paypalControl(paypal, post);
    control.get('/_sbx/btcpay/ledger', async () => btcpayLedger(btcpay));
    btcpayControl(btcpay, post);

    post('faults', faultSchema, fault => faults.add(fault));
    control.get('/_sbx/faults', async () => ({ faults: faults.all(), struck: faults.struck() }));
    control.delete('/_sbx/faults', async () => {
      faults.clear();
      return { ok: true };
    });
  });
}

function refuse(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof z.ZodError) return reply.status(400).send({ error: z.prettifyError(error) });
  if (error instanceof StripeRefusal || error instanceof PaypalRefusal || error instanceof BtcpayRefusal)
    return reply.status(409).send({ error: error.message });
  const { statusCode = 500, message } = error as Error & { statusCode?: number };
  return reply.status(statusCode).send({ error: message });
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
