import type { Clock } from '../clock.ts';
import type { EventAction, Faults, WebhookProvider } from '../control/faults.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store } from '../store.ts';
import { closeConnections, type Manner, send } from './send.ts';

type Try = { at: number; status?: number; error?: string };
/** One event for one endpoint, with all attempts so far. */
export type Delivery = {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  state: 'waiting' | 'delivered' | 'dropped' | 'givenUp';
  tries: Try[];
};

const HOUR_MS = 3_600_000;
/**
 * Delays after the first attempts in ms; from then on a minute, doubled each time up to an hour.
 */
const BACK_OFF = [200, 1_000, 5_000, 30_000];
const GIVE_UP_AFTER_MS = 3 * 24 * HOUR_MS;

/** Returns the delay of Stripe's and PayPal's next retry: growing, for three days. */
export function backOffForThreeDays(tries: readonly Try[]): number | undefined {
  if (tries.at(-1)!.at - tries[0]!.at > GIVE_UP_AFTER_MS) return undefined;
  return BACK_OFF[tries.length - 1] ?? Math.min(60_000 * 2 ** (tries.length - BACK_OFF.length - 1), HOUR_MS);
}

/** How a provider sends its events. */
export type Sender = {
  provider: WebhookProvider;
  /** Ids of all its events, oldest first. */
  events(): string[];
  /** Undefined for an unknown event. `lane`: events of one lane arrive in order. */
  event(id: string): { type: string; lane: string } | undefined;
  /** Ids of the endpoints that asked for events of this type. */
  listeners(type: string): string[];
  /**
   * A delivery as posted to its endpoint, with a fresh signature; undefined once either is deleted.
   */
  post(
    delivery: Delivery,
    action: EventAction | undefined,
  ): Promise<{ url: string; body: string; headers: Record<string, string> } | undefined>;
  /** Delay in ms before the next attempt; undefined: none. */
  waitAfter(tries: readonly Try[]): number | undefined;
  /** Whether a retry blocks later events of its lane. */
  blocksLane: boolean;
};

type Waiting = { id: string; action: EventAction | undefined };
export type Deliveries = ReturnType<typeof createDeliveries>;

/**
 * Sends a provider's events to the webhook endpoints: immediately, signed, and retried until a 2xx
 * answer. First attempts in one lane are sequential, so they arrive in order. Delays follow the
 * sandbox's clock.
 */
export function createDeliveries(context: {
  store: Store;
  clock: Clock;
  ids: Ids;
  faults: Faults;
  schedule: Schedule;
  sender: Sender;
}) {
  const { store, clock, ids, faults, schedule, sender } = context;
  const rows = store.table<Delivery>(`deliveries.${sender.provider}`);
  /** Waiting deliveries; the first of each lane is in progress, or waits for its retry. */
  const lanes = new Map<string, Waiting[]>();
  const underWay = new Set<Promise<void>>();
  let postponed: (() => void)[] = [];
  let stopped = false;

  const after = (ms: number, what: () => void) => schedule.at(clock.now() + ms, what);

  /** @returns the delay in ms before the retry, if any */
  const attempt = async ({ id, action }: Waiting): Promise<number | undefined> => {
    const delivery = rows.get(id);
    const posted = delivery && (await sender.post(delivery, action));
    if (stopped || !posted) return undefined;
    const at = clock.now();
    const manner: Manner = action === 'hang' ? 'hang' : action === 'truncateBody' ? 'half' : 'whole';
    const result = await send(posted.url, posted.body, posted.headers, manner);
    const now = rows.get(id);
    if (stopped || !now) return undefined;
    const tries = [...now.tries, { at, ...result }];
    const delivered = 'status' in result && result.status >= 200 && result.status < 300;
    const done = delivered || now.state === 'delivered';
    const wait = done ? undefined : sender.waitAfter(tries);
    rows.put(id, { ...now, tries, state: done ? 'delivered' : wait === undefined ? 'givenUp' : 'waiting' });
    return wait;
  };

  /** Attempts the first delivery of a lane, and continues with the next one. */
  const pump = (lane: string): void => {
    const head = lanes.get(lane)?.[0];
    if (!head || stopped) return;
    const tried = attempt(head).then(wait => {
      if (wait !== undefined && sender.blocksLane) {
        head.action = undefined;
        return after(wait, () => pump(lane));
      }
      // From here on in a lane of its own.
      if (wait !== undefined) after(wait, () => enqueue(head.id, head.id));
      const [first, ...rest] = lanes.get(lane) ?? [];
      if (first !== head) return;
      if (rest.length === 0) lanes.delete(lane);
      else lanes.set(lane, rest);
      pump(lane);
    });
    underWay.add(tried);
    void tried.finally(() => underWay.delete(tried));
  };
  const enqueue = (lane: string, id: string, action?: EventAction): void => {
    const before = lanes.get(lane) ?? [];
    lanes.set(lane, [...before, { id, action }]);
    if (before.length === 0) pump(lane);
  };

  const newDelivery = (event: string, type: string, endpoint: string): Delivery => {
    const id = ids.next('del_');
    return rows.put(id, { id, event, type, endpoint, state: 'waiting', tries: [] });
  };

  const deliver = (lane: string, id: string, action: EventAction | undefined) => {
    const release = () => enqueue(lane, id, action);
    if (action === 'drop') rows.put(id, { ...rows.get(id)!, state: 'dropped' });
    else if (action === 'reorder') postponed.push(release);
    else if (typeof action === 'object' && 'delay' in action) after(action.delay, release);
    else release();
    if (typeof action === 'object' && 'duplicate' in action) {
      for (let copy = 0; copy < action.duplicate; copy++) release();
    }
  };

  return {
    /** Sends a new event to every subscribed endpoint. */
    publish(event: string): void {
      const released = postponed;
      postponed = [];
      const { type, lane } = sender.event(event)!;
      const action = faults.takeEvent(sender.provider, type);
      for (const endpoint of sender.listeners(type))
        deliver(lane, newDelivery(event, type, endpoint).id, action);
      // Events postponed by a reorder fault follow the event after them.
      for (const release of released) release();
    },
    /** Sends an event once more, whatever its state. */
    redeliver(event: string): void {
      const { type, lane } = sender.event(event)!;
      for (const endpoint of sender.listeners(type)) enqueue(lane, newDelivery(event, type, endpoint).id);
    },
    /** Ids of all events that can be sent again, oldest first. */
    events: () => sender.events(),
    /** Continues what a restart interrupted. */
    resume(): void {
      for (const { id, event, state } of rows.all()) {
        if (state === 'waiting') enqueue(sender.blocksLane ? sender.event(event)!.lane : id, id);
      }
    },
    /** Resolves when no attempt is in progress; scheduled retries are not awaited. */
    async settled(): Promise<void> {
      while (underWay.size) await Promise.all(underWay);
    },
    /** Forgets postponed events. */
    clear(): void {
      postponed = [];
      lanes.clear();
    },
    all: () => rows.all(),
    stop(): void {
      stopped = true;
      closeConnections();
    },
  };
}
