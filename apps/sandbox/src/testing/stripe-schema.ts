import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { type Schema, schemaOf } from './type-schema.ts';

/** The SDK's type of each `object` that the sandbox emits. */
const TYPES: Record<string, string> = {
  account: 'Account',
  balance: 'Balance',
  balance_transaction: 'BalanceTransaction',
  charge: 'Charge',
  customer: 'Customer',
  dispute: 'Dispute',
  event: 'EventBase',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  payout: 'Payout',
  refund: 'Refund',
  setup_attempt: 'SetupAttempt',
  setup_intent: 'SetupIntent',
  webhook_endpoint: 'WebhookEndpoint',
};

type Json = Record<string, unknown>;

/**
 * Checks a body against the SDK's types. Returns the faults with their paths; none for a valid
 * body.
 */
export type StripeChecker = (body: object, view?: 'whole' | 'public') => string[];

/**
 * Reads the types of the installed SDK, which takes some seconds: create one checker per test file.
 */
export function createStripeChecker(): StripeChecker {
  const types = createRequire(import.meta.url)
    .resolve('stripe')
    .replace(/cjs([\\/])stripe\.cjs\.node\.js$/, 'esm$1stripe.esm.node.d.ts');
  const { $defs } = schemaOf(types, 'Stripe', [...Object.values(TYPES), 'DeletedCustomer']);
  const ajv = new Ajv({ allErrors: false, strict: false });
  ajv.addSchema({ $id: 'stripe', $defs });
  const compile = (schema: Schema) => ajv.compile(schema as object);

  const whole = new Map<string, ValidateFunction>();
  const validatorOf = (type: string) =>
    whole.get(type) ?? whole.set(type, compile({ $ref: `stripe#/$defs/${type}` })).get(type)!;

  // A publishable key sees some members of an intent, each with its declared type.
  const publicView = (type: string) => {
    const { properties } = $defs[type] as { properties: Json };
    const parts = Object.keys(properties).map(name => [
      name,
      { $ref: `stripe#/$defs/${type}/properties/${name}` },
    ]);
    return compile({ type: 'object', properties: Object.fromEntries(parts), additionalProperties: false });
  };
  const publicViews = new Map(['PaymentIntent', 'SetupIntent'].map(type => [type, publicView(type)]));

  const { last_payment_error } = ($defs.PaymentIntent as { properties: Record<string, { anyOf: Json[] }> })
    .properties;
  const errorType = String(last_payment_error!.anyOf.find(part => part.$ref)!.$ref).replace('#/$defs/', '');

  const run = (validate: ValidateFunction, value: unknown, where: string): string[] =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(
          error => `${where}${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
        );

  const check: StripeChecker = (body, view = 'whole') => {
    const json = JSON.parse(JSON.stringify(body)) as Json;
    if (json.error) return run(validatorOf(errorType), json.error, 'error');
    if (json.object === 'list') {
      const { object: _, data, has_more, url, ...rest } = json;
      const envelope = Array.isArray(data) && typeof has_more === 'boolean' && typeof url === 'string';
      if (!envelope || Object.keys(rest).length) return ['list: wrong envelope'];
      return data.flatMap(row => check(row as object));
    }
    if (json.deleted) return run(validatorOf('DeletedCustomer'), json, 'deleted customer');
    const kind = String(json.object);
    const type = TYPES[kind];
    if (!type) return [`unknown object ${kind}`];
    const validate = view === 'public' ? (publicViews.get(type) ?? validatorOf(type)) : validatorOf(type);
    const found = run(validate, json, kind);
    if (kind !== 'event') return found;
    return [
      ...found,
      ...check((json.data as { object: object }).object).map(fault => `${json.type}: ${fault}`),
    ];
  };
  return check;
}
