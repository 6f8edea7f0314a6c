import type { z } from 'zod';
import { keyRefusal } from '../errors.ts';
import type { Form } from '../form.ts';
import { params, parse } from '../params.ts';
import type { Cause, StripeState } from '../state.ts';
import { expandPaths } from './expand.ts';

/** One request that passed authentication. */
export type Call = {
  state: StripeState;
  cause: Cause;
  publishable: boolean;
  path: string;
  /** Lists leave out what is younger than this many ms: 0 unless a fault says otherwise. */
  listLag(): number;
};

/** One call of the Stripe API, ready to be mounted. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** As fastify writes it: `/v1/customers/:id`. */
  path: string;
  /** Runs the call on decoded parameters; the answer is the JSON body. Throws a StripeRefusal. */
  run(call: Call, form: Form, id: string): unknown;
};

/** Declares a call: its parameters (anything else is refused) and what it does. */
export function endpoint<S extends z.ZodRawShape>(
  method: Endpoint['method'],
  path: string,
  shape: S,
  handle: (call: Call, given: z.output<ReturnType<typeof params<S>>>, id: string) => object,
  access: 'secret' | 'publishable' = 'secret',
): Endpoint {
  const schema = params(shape);
  return {
    method,
    path,
    run: (call, form, id) => {
      if (call.publishable && access === 'secret') {
        throw keyRefusal(
          403,
          'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
          'secret_key_required',
        );
      }
      const given = parse(schema, form);
      return expandPaths(call.state, handle(call, given, id), (given as { expand?: string[] }).expand ?? []);
    },
  };
}
