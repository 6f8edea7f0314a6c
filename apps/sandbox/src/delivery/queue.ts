import type { Clock } from '../clock.ts';
import type { EventAction, Faults, WebhookProvider } from '../control/faults.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store } from '../store.ts';
import { closeConnections, type Manner, send } from './send.ts';

/** One event for one endpoint, with every try so far. */
export type Delivery = {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  state: 'waiting' | 'delivered' | 'dropped' | 'givenUp';
  tries: { at: number; status?: number; error?: string }[];
};

const HOUR_MS = 3_600_000;
/** Waits after the first tries in ms; from then on a minute, doubled each time up to an hour. */
const BACK_OFF = [200, 1_000, 5_000, 30_000];
const waitAfter = (tries: number) =>
  BACK_OFF[tries - 1] ?? Math.min(60_000 * 2 ** (tries - BACK_OFF.length - 1), HOUR_MS);
const GIVE_UP_AFTER_MS = 3 * 24 * HOUR_MS;

/** How a provider sends its events. */
export type Sender = {
  provider: WebhookProvider;
  /** Ids of all its events, the oldest first. */
  events(): string[];
  /** Undefined for an event that it does not know. `lane`: events of one lane arrive in order. */
  event(id: string): { type: string; lane: string } | undefined;
  /** Ids of the endpoints that asked for events of this type. */
  listeners(type: string): string[];
  /** The event as it is posted to an endpoint, signed as of now; undefined once either is gone. */
  post(
    event: string,
    endpoint: string,
    action: EventAction | undefined,
  ): Promise<{ url: string; body: string; headers: Record<string, string> } | undefined>;
};

export type Deliveries = ReturnType<typeof createDeliveries>;

/**
 * Sends a provider's events to the webhook endpoints: at once, signed, tried again until a 2xx answer. First tries about one
 * object go out one after the other, so they arrive in order; a try that failed holds up nothing. Waiting is by the
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
  const lanes = new Map<string, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  let heldBack: (() => void)[] = [];
  let stopped = false;

  const after = (ms: number, what: () => void) => schedule.at(clock.now() + ms, what);
  const track = (tried: Promise<void>) => {
    underWay.add(tried);
    void tried.finally(() => underWay.delete(tried));
  };

  const attempt = async (id: string, action?: EventAction): Promise<void> => {
    const delivery = rows.get(id);
    const posted = delivery && (await sender.post(delivery.event, delivery.endpoint, action));
    if (stopped || !posted) return;
    const at = clock.now();
    const manner: Manner = action === 'hang' ? 'hang' : action === 'truncateBody' ? 'half' : 'whole';
    const result = await send(posted.url, posted.body, posted.headers, manner);
    const now = rows.get(id);
    if (stopped || !now) return;
    const tries = [...now.tries, { at, ...result }];
    const delivered = 'status' in result && result.status >= 200 && result.status < 300;
    if (delivered || now.state === 'delivered') {
      rows.put(id, { ...now, tries, state: 'delivered' });
      return;
    }
    const over = at - tries[0]!.at > GIVE_UP_AFTER_MS;
    rows.put(id, { ...now, tries, state: over ? 'givenUp' : 'waiting' });
    if (!over) after(waitAfter(tries.length), () => track(attempt(id)));
  };

  /** Queues a first try behind earlier ones about the same object. */
  const enqueue = (lane: string, id: string, action?: EventAction) => {
    const done = (lanes.get(lane) ?? Promise.resolve()).then(() => attempt(id, action));
    lanes.set(lane, done);
    track(done);
    void done.finally(() => lanes.get(lane) === done && lanes.delete(lane));
  };

  const newDelivery = (event: string, type: string, endpoint: string): Delivery => {
    const id = ids.next('del_');
    return rows.put(id, { id, event, type, endpoint, state: 'waiting', tries: [] });
  };

  const deliver = (lane: string, id: string, action: EventAction | undefined) => {
    const go = () => enqueue(lane, id, action);
    if (action === 'drop') rows.put(id, { ...rows.get(id)!, state: 'dropped' });
    else if (action === 'reorder') heldBack.push(go);
    else if (typeof action === 'object' && 'delay' in action) after(action.delay, go);
    else go();
    if (typeof action === 'object' && 'duplicate' in action) {
      for (let copy = 0; copy < action.duplicate; copy++) go();
    }
  };

  return {
    /** Sends a new event to every endpoint that asked for it. */
    publish(event: string): void {
      const released = heldBack;
      heldBack = [];
      const { type, lane } = sender.event(event)!;
      const action = faults.takeEvent(sender.provider, type);
      for (const endpoint of sender.listeners(type))
        deliver(lane, newDelivery(event, type, endpoint).id, action);
      // What a reorder fault held back follows the event after it.
      for (const go of released) go();
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
      for (const delivery of rows.all()) if (delivery.state === 'waiting') track(attempt(delivery.id));
    },
    /** Resolves when no try is under way; what waits for its time is not waited for. */
    async settled(): Promise<void> {
      while (underWay.size) await Promise.all(underWay);
    },
    /** Forgets what was held back. */
    clear(): void {
      heldBack = [];
    },
    all: () => rows.all(),
    stop(): void {
      stopped = true;
      closeConnections();
    },
  };
}
