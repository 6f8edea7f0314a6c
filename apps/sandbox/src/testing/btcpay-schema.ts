import { z } from 'zod';

/*
 * Answers of BTCPay Server 2.4 that the sandbox implements, handwritten from its OpenAPI
 * description with exactly these members, so that the shop cannot rely on others.
 * `btcpay-published.ts` compares with the description itself, if available.
 */
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const seconds = z.number().int();
const status = z.enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled']);
const free = z.record(z.string(), z.unknown());

const invoice = z.strictObject({
  id: z.string(),
  storeId: z.string(),
  amount: decimal,
  paidAmount: decimal,
  currency: z.string(),
  type: z.enum(['Standard', 'TopUp']),
  checkoutLink: z.url(),
  createdTime: seconds,
  expirationTime: seconds,
  monitoringExpiration: seconds,
  status,
  additionalStatus: z.enum(['None', 'PaidLate', 'PaidPartial', 'Marked', 'PaidOver']),
  availableStatusesForManualMarking: z.array(status),
  archived: z.boolean(),
  metadata: free,
  checkout: z.strictObject({
    speedPolicy: z.enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed']),
    paymentMethods: z.array(z.string()),
    defaultPaymentMethod: z.string().nullable(),
    expirationMinutes: z.number(),
    monitoringMinutes: z.number(),
    paymentTolerance: z.number(),
    redirectURL: z.string().nullable(),
    redirectAutomatically: z.boolean(),
    defaultLanguage: z.string().nullable(),
    lazyPaymentMethods: z.boolean().nullable(),
  }),
  receipt: free,
});
const payment = z.strictObject({
  id: z.string(),
  receivedDate: seconds,
  value: decimal,
  fee: decimal,
  status: z.enum(['Invalid', 'Processing', 'Settled']),
  destination: z.string(),
});
const paymentMethods = z.array(
  z.strictObject({
    paymentMethodId: z.string(),
    currency: z.string(),
    destination: z.string(),
    paymentLink: z.string().nullable(),
    rate: decimal,
    paymentMethodPaid: decimal,
    totalPaid: decimal,
    due: decimal,
    amount: decimal,
    paymentMethodFee: decimal,
    payments: z.array(payment),
    activated: z.boolean(),
    additionalData: free,
  }),
);
const pullPayment = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  currency: z.string(),
  amount: decimal,
  startsAt: seconds,
  expiresAt: seconds.nullable(),
  BOLT11Expiration: z.number(),
  archived: z.boolean(),
  autoApproveClaims: z.boolean(),
  viewLink: z.url(),
});
const payout = z.strictObject({
  id: z.string(),
  revision: z.number().int(),
  pullPaymentId: z.string(),
  date: seconds,
  destination: z.string(),
  originalCurrency: z.string(),
  originalAmount: decimal,
  payoutCurrency: z.string(),
  payoutAmount: decimal.nullable(),
  payoutMethodId: z.string(),
  state: z.enum(['AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled']),
  paymentProof: z.unknown(),
  metadata: free,
});
const refusal = z.union([
  z.strictObject({ code: z.string(), message: z.string(), missingPermission: z.string().optional() }),
  z.array(z.strictObject({ path: z.string(), message: z.string() })).min(1),
]);

const STORE = '/api/v1/stores/:store';
const ANSWERS: Record<string, z.ZodType> = {
  [`${STORE}/invoices`]: z.union([invoice, z.array(invoice)]),
  [`${STORE}/invoices/:id`]: invoice,
  [`${STORE}/invoices/:id/payment-methods`]: paymentMethods,
  [`${STORE}/invoices/:id/status`]: invoice,
  [`${STORE}/invoices/:id/refund`]: pullPayment,
  [`${STORE}/pull-payments`]: z.array(pullPayment),
  '/api/v1/pull-payments/:id': pullPayment,
  '/api/v1/pull-payments/:id/payouts': z.union([payout, z.array(payout)]),
  '/api/v1/api-keys/current': z.strictObject({
    apiKey: z.string(),
    label: z.string(),
    permissions: z.array(z.string()),
  }),
  '/api/v1/server/info': z.strictObject({
    version: z.string(),
    onion: z.string().nullable(),
    supportedPaymentMethods: z.array(z.string()),
    fullySynched: z.boolean(),
    syncStatus: z.array(free),
  }),
  [`${STORE}/payment-methods`]: z.array(
    z.strictObject({ paymentMethodId: z.string(), enabled: z.boolean() }),
  ),
  [`${STORE}/webhooks`]: z.array(
    z.strictObject({
      id: z.string(),
      enabled: z.boolean(),
      automaticRedelivery: z.boolean(),
      url: z.url(),
      authorizedEvents: z.strictObject({ everything: z.boolean(), specificEvents: z.array(z.string()) }),
    }),
  ),
  [`${STORE}/rates`]: z.array(
    z.strictObject({ currencyPair: z.string(), rate: decimal.nullable(), errors: z.array(z.string()) }),
  ),
};

/**
 * Returns the faults of an answer with their paths; none for one that the real server could give.
 */
export function checkBtcpayAnswer(answer: { path: string; status: number; body: unknown }): string[] {
  const { path, status: http, body } = answer;
  const schema = http === 200 ? ANSWERS[path] : refusal;
  if (!schema) return [`${path}: nobody says what it answers`];
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : [`${path}: ${z.prettifyError(parsed.error)}`];
}
