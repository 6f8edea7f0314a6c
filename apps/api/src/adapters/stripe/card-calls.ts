import Stripe from 'stripe';
import type { CardCalls, Reported, ReportedSaving, SavingBegun } from '../../ports/payment-gateway.ts';
import { asPayer, reach, type StripeClient, unlessUnknown } from './client.ts';
import { cardOf, INTENT_EXPANDED } from './objects.ts';

const SETUP_EXPANDED = { expand: ['payment_method'] };

/** @param follow reads and maps payments */
export const createCardCalls = (
  { stripe }: StripeClient,
  follow: {
    read(ref: string): Promise<Reported>;
    reported(intent: Promise<Stripe.PaymentIntent>): Promise<Reported>;
  },
): CardCalls => ({
  async read(cardRef) {
    const method = await unlessUnknown(reach(stripe.paymentMethods.retrieve(cardRef)));
    return method && cardOf(method);
  },

  async readSaved(cardRef) {
    const method = await unlessUnknown(reach(stripe.paymentMethods.retrieve(cardRef)));
    // A detached card still exists, but belongs to nobody and cannot be attached again.
    return method?.customer ? cardOf(method) : undefined;
  },

  async pay({ key, providerRef }, cardRef) {
    const confirmed = reach(
      stripe.paymentIntents.confirm(
        providerRef!,
        { payment_method: cardRef, use_stripe_sdk: true, ...INTENT_EXPANDED },
        { idempotencyKey: `${key}-${cardRef}` },
      ),
    );
    try {
      return await follow.reported(confirmed);
    } catch (error) {
      // "unexpected state": paid or closed meanwhile. Read the current state.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return follow.read(providerRef!);
      throw error;
    }
  },

  async save({ ref, gatewayCustomerRef, key, begun }) {
    const made = asPayer(
      stripe.setupIntents.create(
        {
          customer: gatewayCustomerRef,
          payment_method: ref,
          allowed_payment_method_types: ['card'],
          usage: 'off_session',
          confirm: true,
          use_stripe_sdk: true,
          metadata: begunNote(begun),
          ...SETUP_EXPANDED,
        },
        { idempotencyKey: key },
      ),
    );
    return savingOf(stripe, await made.catch(refusedSetup));
  },

  async askSaving(ref) {
    const setup = await unlessUnknown(reach(stripe.setupIntents.retrieve(ref, SETUP_EXPANDED)));
    return setup && savingOf(stripe, setup);
  },

  async endSaving(ref) {
    try {
      await reach(stripe.setupIntents.cancel(ref));
    } catch (error) {
      // Saved or cancelled meanwhile.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    }
  },
});

/** A declined card: the error contains the setup intent. */
function refusedSetup(error: unknown): Stripe.SetupIntent {
  if (error instanceof Stripe.errors.StripeCardError && error.setup_intent) return error.setup_intent;
  throw error;
}

async function savingOf(stripe: Stripe, setup: Stripe.SetupIntent): Promise<ReportedSaving> {
  const { id: ref, status, client_secret: clientSecret, last_setup_error: refusal } = setup;
  const gatewayCustomerRef = typeof setup.customer === 'string' ? setup.customer : (setup.customer?.id ?? '');
  const begun = begunOf(setup.metadata ?? {});
  const card = cardOf(setup.payment_method);
  const whose = { ref, gatewayCustomerRef, ...(begun && { begun }), begunAt: new Date(setup.created * 1000) };
  if (status === 'succeeded' && card) return { ...whose, state: 'saved', card };
  const declines = await refusalsOf(stripe, ref);
  if (status === 'requires_action' && clientSecret)
    return { ...whose, state: 'asked', clientSecret, declines };
  const decline = refusal?.decline_code ?? refusal?.code;
  return { ...whose, state: 'refused', declines, ...(decline && { decline }) };
}

/** Number of declines, which the setup intent itself does not contain. */
async function refusalsOf(stripe: Stripe, ref: string): Promise<number> {
  const tries = await reach(stripe.setupAttempts.list({ setup_intent: ref, limit: 100 }));
  return tries.data.filter(({ status }) => status === 'failed').length;
}

/** Our metadata of a saving; undefined if it was started elsewhere. */
const begunOf = ({
  gateway_customer_id: gatewayCustomerId,
  language,
  replaces,
  as_default: asDefault,
}: Stripe.Metadata): SavingBegun | undefined =>
  gatewayCustomerId && language
    ? { gatewayCustomerId, language, ...(replaces && { replaces }), ...(asDefault && { asDefault: true }) }
    : undefined;
const begunNote = ({ gatewayCustomerId, asDefault, ...said }: SavingBegun) => ({
  gateway_customer_id: gatewayCustomerId,
  ...said,
  ...(asDefault && { as_default: 'yes' }),
});
