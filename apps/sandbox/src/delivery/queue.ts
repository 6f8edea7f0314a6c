import type { Clock } from '../clock.ts';
import type { EventAction, Faults, WebhookProvider } from '../control/faults.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store } from '../store.ts';
import { closeConnections, type Manner, send } from './send.ts';

type Try = { at: number; status?: number; error?: string };
/** One event for one endpoint, with every try so far. */
export type Delivery = {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  state: 'waiting' | 'delivered' | 'dropped' | 'givenUp';
  tries: Try[];
};

const HOUR_MS = 3_600_000;
/** Waits after the first tries in ms; from then on a minute, doubled each time up to an hour. */
const BACK_OFF = [200, 1_000, 5_000, 30_000];
const GIVE_UP_AFTER_MS = 3 * 24 * HOUR_MS;

/** For three days, ever less often: how Stripe and PayPal go on after a try that failed. */
export function backOffForThreeDays(tries: readonly Try[]): number | undefined {
  if (tries.at(-1)!.at - tries[0]!.at > GIVE_UP_AFTER_MS) return undefined;
  return BACK_OFF[tries.length - 1] ?? Math.min(60_000 * 2 ** (tries.length - BACK_OFF.length - 1), HOUR_MS);
}

/** How a provider sends its events. */
export type Sender = {
  provider: WebhookProvider;
  /** Ids of all its events, the oldest first. */
  events(): string[];
  /** Undefined for an event that it does not know. `lane`: events of one lane arrive in order. */
  event(id: string): { type: string; lane: string } | undefined;
  /** Ids of the endpoints that asked for events of this type. */
  listeners(type: string): string[];
  /** A delivery as it is posted to its endpoint, signed as of now; undefined once either is gone. */
  post(
    delivery: Delivery,
    action: EventAction | undefined,
  ): Promise<{ url: string; body: string; headers: Record<string, string> } | undefined>;
  /** How many ms after a try that failed comes the next; undefined: none. */
  waitAfter(tries: readonly Try[]): number | undefined;
  /** What is tried again holds up what follows in its lane. */
  blocksLane: boolean;
};

type Waiting = { id: string; action: EventAction | undefined };
export type Deliveries = ReturnType<typeof createDeliveries>;

/**
 * Sends a provider's events to the webhook endpoints: at once, signed, tried again until a 2xx answer. First tries in one
 * lane go out one after the other, so they arrive in order. Waiting is by the sandbox's clock.
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
  /** What waits for its turn; the first of each lane is under way, or waits for its next try. */
  const lanes = new Map<string, Waiting[]>();
  const underWay = new Set<Promise<void>>();
  let postponed: (() => void)[] = [];
  let stopped = false;

  const after = (ms: number, what: () => void) => schedule.at(clock.now() + ms, what);

  /** @returns how many ms later it is to be tried again, if at all */
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

  /** Tries the first of a lane, and goes on with the next when it has had its turn. */
  const pump = (lane: string): void => {
    const head = lanes.get(lane)?.[0];
    if (!head || stopped) return;
    const tried = attempt(head).then(wait => {
      if (wait !== undefined && sender.blocksLane) {
        head.action = undefined;
        return after(wait, () => pump(lane));
      }
      // In a lane of its own, from here on.
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
    /** Sends a new event to every endpoint that asked for it. */
    publish(event: string): void {
      const released = postponed;
      postponed = [];
      const { type, lane } = sender.event(event)!;
      const action = faults.takeEvent(sender.provider, type);
      for (const endpoint of sender.listeners(type))
        deliver(lane, newDelivery(event, type, endpoint).id, action);
      // What a reorder fault held back follows the event after it.
      for (const release of released) release();
    },
    /** Sends an event once more, whatever became of it. */
    redeliver(event: string): void {
      const { type, lane } = sender.event(event)!;
      for (const endpoint of sender.listeners(type)) enqueue(lane, newDelivery(event, type, endpoint).id);
    },
    /** Ids of everything that could be sent again, the oldest first. */
    events: () => sender.events(),
    /** Takes up what a restart interrupted. */
    resume(): void {
      for (const { id, event, state } of rows.all()) {
        if (state === 'waiting') enqueue(sender.blocksLane ? sender.event(event)!.lane : id, id);
      }
    },
    /** Resolves when no try is under way; what waits for its time is not waited for. */
    async settled(): Promise<void> {
      while (underWay.size) await Promise.all(underWay);
    },
    /** Forgets what was held back. */
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
