import { z } from 'zod';
import { createRandom } from '../random.ts';

const WITHOUT_END = 1_000_000;
const ms = z.number().int().positive();
/** Where a provider's calls are: `/v1/…` at Stripe, `/v2/…` at PayPal too, `/api/v1/…` at BTCPay. */
const path = z
  .string()
  .regex(/^((GET|POST|DELETE) )?\/(api\/)?v\d\//, 'must look like "POST /v1/payment_intents*"');
const list = z.string().regex(/^\/v\d\//, 'must look like "/v1/payment_intents"');
/** Providers that are called, and call back. BTCPay finds at once what it has made: its lists are never late. */
const provider = z.enum(['stripe', 'paypal', 'btcpay']);
const listing = z.enum(['stripe', 'paypal']);
export type WebhookProvider = z.output<typeof provider>;

/**
 * What may go wrong with an API call. The work is done before the answer is held back (`delayAfterCommit`), lost or cut
 * off (`commitThenDropConnection`, `truncateBody`) or replaced (`500AfterCommit`); nothing is done by the others (`403`: the
 * key has not the right), or
 * not yet (`delayBefore`).
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
/** What may go wrong with a list: it does not yet hold what is younger than this. A GET by id finds it all the same. */
const listAction = z.strictObject({ late: ms });
/** What may go wrong with a webhook. `drop` loses the event for good; `reorder` sends it after the next one. */
const eventAction = z.union([
  z.strictObject({ delay: ms }),
  z.strictObject({ duplicate: z.number().int().positive().max(100) }),
  z.enum(['drop', 'reorder', 'badSignature', 'oldTimestamp', 'hang', 'truncateBody']),
]);
/** What may go wrong with mail: no connection, "try later" (451), refused for good (550), slow. */
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

/** A fault as the control interface takes it; README.md describes all of them. */
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

/** The faults that wait for their moment. Each `take…` uses one up and returns what is to go wrong, if anything. */
export type Faults = {
  add(fault: Fault): void;
  all(): Fault[];
  /** How often each kind of fault struck since the last `clear`. */
  struck(): Record<string, number>;
  clear(): void;
  takeApi(of: WebhookProvider, method: string, path: string): ApiAction | undefined;
  takeList(of: WebhookProvider, path: string): ListAction | undefined;
  takeEvent(of: WebhookProvider, type: string): EventAction | undefined;
  /** Refusals of whole connections are counted by connection, everything else by mail. */
  refusesMailConnection(): boolean;
  receiveMail(): MailAction | undefined;
};

/** An empty list of faults, in memory only. */
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
