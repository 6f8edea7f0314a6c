import { z } from 'zod';

const times = z.number().int().positive().max(1_000_000).default(1);
const path = z.string().regex(/^((GET|POST|DELETE) )?\/v1\//, 'must look like "POST /v1/payment_intents*"');

/** What may go wrong with an API call. `500` answers before anything is done, `500AfterCommit` after it. */
const apiAction = z.union([
  z.strictObject({ delay: z.number().int().positive() }),
  z.enum(['drop', '500', '500AfterCommit', '429', '409', 'commitThenDropConnection', 'hang', 'truncateBody']),
]);
/** What may go wrong with a webhook. `drop` loses the event for good; `reorder` sends it after the next one. */
const eventAction = z.union([
  z.strictObject({ delay: z.number().int().positive() }),
  z.strictObject({ duplicate: z.number().int().positive().max(100) }),
  z.enum(['drop', 'reorder', 'badSignature', 'oldTimestamp', 'hang', 'truncateBody']),
]);
/** What may go wrong with mail: no connection, "try later" (451), refused for good (550), slow. */
const mailAction = z.union([
  z.strictObject({ delay: z.number().int().positive() }),
  z.enum(['refuseConnections', 'tryLater', 'reject']),
]);

/** A fault as the control interface takes it (P26). `*` in a path or event matches anything. */
export const faultSchema = z.union([
  z.strictObject({ match: z.strictObject({ provider: z.literal('stripe'), path }), do: apiAction, times }),
  z.strictObject({
    match: z.strictObject({ provider: z.literal('stripe'), event: z.string() }),
    do: eventAction,
    times,
  }),
  z.strictObject({ match: z.strictObject({ provider: z.literal('mail') }), do: mailAction, times }),
]);
export type Fault = z.output<typeof faultSchema>;
export type ApiAction = z.output<typeof apiAction>;
export type EventAction = z.output<typeof eventAction>;
export type MailAction = z.output<typeof mailAction>;

/** The faults that wait for their moment. Each `take…` uses one up and returns what is to go wrong, if anything. */
export type Faults = {
  add(fault: Fault): void;
  all(): Fault[];
  clear(): void;
  takeApi(method: string, path: string): ApiAction | undefined;
  takeEvent(type: string): EventAction | undefined;
  /** Refusals of whole connections are counted by connection, everything else by mail. */
  refusesMailConnection(): boolean;
  takeMail(): MailAction | undefined;
};

/** An empty list of faults, in memory only. */
export function createFaults(): Faults {
  let waiting: Fault[] = [];

  const take = (hit: (fault: Fault) => boolean) => {
    const found = waiting.find(hit);
    if (!found) return undefined;
    waiting = waiting.flatMap(fault => {
      if (fault !== found) return [fault];
      return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
    });
    return found.do;
  };

  return {
    add: fault => {
      waiting = [...waiting, fault];
    },
    all: () => waiting,
    clear: () => {
      waiting = [];
    },
    takeApi: (method, url) =>
      take(({ match }) => {
        if (!('path' in match)) return false;
        return glob(match.path.includes(' ') ? match.path : `* ${match.path}`, `${method} ${url}`);
      }) as ApiAction | undefined,
    takeEvent: type =>
      take(({ match }) => 'event' in match && glob(match.event, type)) as EventAction | undefined,
    refusesMailConnection: () => take(fault => fault.do === 'refuseConnections') !== undefined,
    takeMail: () =>
      take(fault => fault.match.provider === 'mail' && fault.do !== 'refuseConnections') as
        | MailAction
        | undefined,
  };
}

function glob(pattern: string, text: string): boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${source}$`).test(text);
}
