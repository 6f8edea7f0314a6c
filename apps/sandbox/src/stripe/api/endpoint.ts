import type { z } from 'zod';
import { keyRefusal } from '../errors.ts';
import type { Form } from '../form.ts';
import { params, parse } from '../params.ts';
import type { Cause, StripeState } from '../state.ts';
import { expandPaths } from './expand.ts';

/** One authenticated request. */
export type Call = {
  state: StripeState;
  cause: Cause;
  publishable: boolean;
  path: string;
  /** Lists omit what is younger than this many ms: 0 unless a fault changes it. */
  listLag(): number;
};

/** One call of the Stripe API, ready to be mounted. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** In fastify's notation: `/v1/customers/:id`. */
  path: string;
  /** Runs the call on decoded parameters and returns the JSON body. Throws a StripeRefusal. */
  run(call: Call, form: Form, id: string): unknown;
};

/** Declares a call: its parameters (unknown ones are refused) and its implementation. */
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
