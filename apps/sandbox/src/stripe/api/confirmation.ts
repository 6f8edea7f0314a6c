import { z } from 'zod';
import type { Confirmation } from '../authentication.ts';
import { findMethod } from '../methods.ts';
import { boolean, text } from '../params.ts';
import type { Call } from './endpoint.ts';
import { createGivenMethod, methodData } from './payment-methods.ts';

/** Options per method; only the one with an effect here, plus what the shop may send along. */
const methodOptions = z
  .strictObject({
    card: z
      .strictObject({
        request_three_d_secure: z.enum(['any', 'automatic', 'challenge']).optional(),
        setup_future_usage: z.enum(['', 'none', 'off_session', 'on_session']).optional(),
      })
      .optional(),
    promptpay: z.strictObject({ setup_future_usage: z.enum(['', 'none']).optional() }).optional(),
  })
  .optional();

/** Parameters of a payment and a setup, at creation and at confirmation. */
export const confirmationFields = {
  client_secret: text.optional(),
  mandate_data: z.unknown().optional(),
  payment_method: text.optional(),
  payment_method_data: z.strictObject(methodData).optional(),
  payment_method_options: methodOptions,
  return_url: z.url().optional(),
  use_stripe_sdk: boolean.optional(),
  off_session: z.union([boolean, z.enum(['one_off', 'recurring'])]).optional(),
  error_on_requires_action: boolean.optional(),
};
type Given = z.output<z.ZodObject<typeof confirmationFields>>;

/**
 * Reads how a confirmation is requested, and creates the payment method if its data is included.
 */
export function confirmation(call: Call, given: Given): Confirmation {
  const asked = given.payment_method_options?.card?.request_three_d_secure;
  return {
    method: givenMethod(call, given),
    offSession: Boolean(given.off_session),
    errorOnAction: given.error_on_requires_action ?? false,
    requestThreeDs: asked === 'any' || asked === 'challenge',
    returnUrl: given.return_url ?? null,
    useStripeSdk: given.use_stripe_sdk ?? false,
  };
}

/** Returns the payment method that a call names or includes, if any. */
export function givenMethod(call: Call, given: Pick<Given, 'payment_method' | 'payment_method_data'>) {
  if (given.payment_method_data) return createGivenMethod(call, given.payment_method_data);
  return given.payment_method ? findMethod(call.state, given.payment_method) : undefined;
}
