import { z } from 'zod';
import { createRandom } from '../random.ts';

const WITHOUT_END = 1_000_000;
const ms = z.number().int().positive();
/** Paths of providers' calls: `/v1/…` at Stripe, `/v2/…` at PayPal too, `/api/v1/…` at BTCPay. */
const path = z
  .string()
  .regex(/^((GET|POST|DELETE) )?\/(api\/)?v\d\//, 'must look like "POST /v1/payment_intents*"');
const list = z.string().regex(/^\/v\d\//, 'must look like "/v1/payment_intents"');
/** Providers with an API and webhooks. BTCPay's lists are always up to date. */
const provider = z.enum(['stripe', 'paypal', 'btcpay']);
const listing = z.enum(['stripe', 'paypal']);
export type WebhookProvider = z.output<typeof provider>;

/**
 * Faults of an API call. With `delayAfterCommit`, `commitThenDropConnection`, `truncateBody` and
 * `500AfterCommit` the work is done before the answer fails; with `delayBefore` afterwards; with
 * the others never (`403`: the key lacks the right).
 */
const apiAction = z.union([
  z.strictObject({ delayBefore: ms }),
  z.strictObject({ delayAfterCommit: ms }),
  z.enum([
    'drop',
    '500',
    '500AfterCommit',
    '429',
    '409',
    '403',
    'commitThenDropConnection',
    'hang',
    'truncateBody',
  ]),
]);
/** Fault of a list: it omits objects younger than this. A GET by id still finds them. */
const listAction = z.strictObject({ late: ms });
/** Faults of a webhook. `drop` loses the event for good; `reorder` sends it after the next one. */
const eventAction = z.union([
  z.strictObject({ delay: ms }),
  z.strictObject({ duplicate: z.number().int().positive().max(100) }),
  z.enum(['drop', 'reorder', 'badSignature', 'oldTimestamp', 'hang', 'truncateBody']),
]);
/** Faults of mail: no connection, temporary refusal (451), permanent refusal (550), delay. */
const mailAction = z.union([
  z.strictObject({ delay: ms }),
  z.enum(['refuseConnections', 'tryLater', 'reject']),
]);

const rule = <M extends z.ZodType, D extends z.ZodType>(match: M, what: D) =>
  z.strictObject({
    match,
    do: what,
    times: z.number().int().positive().max(WITHOUT_END).optional(),
    probability: z.number().gt(0).max(1).optional(),
    seed: z.string().optional(),
  });

/** A fault in the control interface; README.md describes them all. */
export const faultSchema = z
  .union([
    rule(z.strictObject({ provider, path }), apiAction),
    rule(z.strictObject({ provider: listing, list }), listAction),
    rule(z.strictObject({ provider, event: z.string() }), eventAction),
    rule(z.strictObject({ provider: z.literal('mail') }), mailAction),
  ])
  .refine(
    ({ probability, seed }) => (probability === undefined) === (seed === undefined),
    'probability and seed belong together: without a seed no run could be repeated',
  )
  .transform(fault => ({ ...fault, times: fault.times ?? (fault.probability ? WITHOUT_END : 1) }));
export type Fault = z.output<typeof faultSchema>;
export type ApiAction = z.output<typeof apiAction>;
type ListAction = z.output<typeof listAction>;
export type EventAction = z.output<typeof eventAction>;
export type MailAction = z.output<typeof mailAction>;

/** Waiting faults. Each `take…` uses one up and returns its action, if any. */
export type Faults = {
  add(fault: Fault): void;
  all(): Fault[];
  /** Number of strikes by kind of fault since the last `clear`. */
  struck(): Record<string, number>;
  clear(): void;
  takeApi(of: WebhookProvider, method: string, path: string): ApiAction | undefined;
  takeList(of: WebhookProvider, path: string): ListAction | undefined;
  takeEvent(of: WebhookProvider, type: string): EventAction | undefined;
  /** Counted per connection, all other mail faults per mail. */
  refusesMailConnection(): boolean;
  receiveMail(): MailAction | undefined;
};

/** Creates an empty list of faults, in memory only. */
export function createFaults(): Faults {
  let waiting: { fault: Fault; strikes: () => boolean }[] = [];
  let struck: Record<string, number> = {};

  const take = (hit: (fault: Fault) => boolean) => {
    const found = waiting.find(({ fault, strikes }) => hit(fault) && strikes());
    if (!found) return undefined;
    const { fault } = found;
    waiting =
      fault.times > 1
        ? waiting.map(one => (one === found ? { ...one, fault: { ...fault, times: fault.times - 1 } } : one))
        : waiting.filter(one => one !== found);
    const kind = typeof fault.do === 'string' ? fault.do : Object.keys(fault.do)[0]!;
    struck = { ...struck, [kind]: (struck[kind] ?? 0) + 1 };
    return fault.do;
  };

  return {
    add: fault => {
      const { probability = 1, seed = '' } = fault;
      const random = createRandom(seed);
      waiting = [...waiting, { fault, strikes: () => random() < probability }];
    },
    all: () => waiting.map(({ fault }) => fault),
    struck: () => struck,
    clear: () => {
      waiting = [];
      struck = {};
    },
    takeApi: (of, method, url) =>
      take(({ match }) => {
        if (match.provider !== of || !('path' in match)) return false;
        return glob(match.path.includes(' ') ? match.path : `* ${match.path}`, `${method} ${url}`);
      }) as ApiAction | undefined,
    takeList: (of, url) =>
      take(({ match }) => match.provider === of && 'list' in match && glob(match.list, url)) as
        | ListAction
        | undefined,
    takeEvent: (of, type) =>
      take(({ match }) => match.provider === of && 'event' in match && glob(match.event, type)) as
        | EventAction
        | undefined,
    refusesMailConnection: () => take(fault => fault.do === 'refuseConnections') !== undefined,
    receiveMail: () =>
      take(fault => fault.match.provider === 'mail' && fault.do !== 'refuseConnections') as
        | MailAction
        | undefined,
  };
}

function glob(pattern: string, text: string): boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${source}$`).test(text);
}
