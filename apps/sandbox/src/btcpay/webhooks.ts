import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { EventAction, Faults } from '../control/faults.ts';
import { type Manner, send } from '../delivery/send.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store } from '../store.ts';
import type { BtcpayEvent } from './world.ts';

/** One event with every try so far. */
export type BtcpayDelivery = {
  id: string;
  event: BtcpayEvent;
  timestamp: number;
  state: 'waiting' | 'delivered' | 'dropped' | 'givenUp';
  tries: { at: number; delivery: string; status?: number; error?: string }[];
};

const WEBHOOK = 'whk_home';
const MINUTE_MS = 60_000;
/** Waits before each further try (WebhookSender of BTCPay 2.4). */
const WAITS_MS = [10_000, MINUTE_MS, ...Array.from({ length: 6 }, () => 10 * MINUTE_MS)];

/** The header over the raw body; it says no time. */
export const btcpaySignature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Only what looks like a passing trouble is tried again: a 4xx never. */
const triesAgain = (result: { status: number } | { error: string }): boolean =>
  'error' in result || result.status >= 500 || result.status === 408 || result.status === 429;

/**
 * Sends events to the shop's webhook, one after the other: while one is tried again, all later ones wait, as in BTCPay.
 * Waiting is by the sandbox's clock.
 */
export function createBtcpayDeliveries(context: {
  store: Store;
  clock: Clock;
  ids: Ids;
  faults: Faults;
  schedule: Schedule;
  url: string;
  secret: string;
}) {
  const { store, clock, ids, faults, schedule, url, secret } = context;
  const rows = store.table<BtcpayDelivery>('btcpayDeliveries');
  let queue: { id: string; action?: EventAction | undefined }[] = [];
  let heldBack: typeof queue = [];
  let underWay: Promise<void> | undefined;
  let stopped = false;

  const attempt = async (id: string, action: EventAction | undefined): Promise<boolean> => {
    const row = rows.get(id)!;
    const first = row.tries[0]?.delivery;
    const delivery = ids.next('', 27);
    const body = JSON.stringify(
      {
        deliveryId: delivery,
        webhookId: WEBHOOK,
        originalDeliveryId: first ?? delivery,
        isRedelivery: first !== undefined,
        ...row.event,
        timestamp: row.timestamp,
      },
      null,
      2,
    );
    const signature = btcpaySignature(action === 'badSignature' ? 'of somebody else' : secret, body);
    const manner: Manner = action === 'hang' ? 'hang' : action === 'truncateBody' ? 'half' : 'whole';
    const at = clock.now();
    const result = await send(url, body, { 'btcpay-sig': signature }, manner);
    const now = rows.get(id);
    if (stopped || !now) return true;
    const tries = [...now.tries, { at, delivery, ...result }];
    const again = triesAgain(result) && tries.length <= WAITS_MS.length;
    const delivered = 'status' in result && result.status < 300;
    rows.put(id, { ...now, tries, state: delivered ? 'delivered' : again ? 'waiting' : 'givenUp' });
    return !again;
  };

  /** Sends what is first in the queue; the next one follows when it is done with. */
  const pump = (): void => {
    const head = queue[0];
    if (!head || underWay || stopped) return;
    underWay = attempt(head.id, head.action).then(done => {
      underWay = undefined;
      if (done) {
        queue = queue.filter(one => one !== head);
        return pump();
      }
      head.action = undefined;
      const wait = WAITS_MS[rows.get(head.id)!.tries.length - 1]!;
      schedule.at(clock.now() + wait, pump);
    });
  };
  const enqueue = (id: string, action?: EventAction): void => {
    queue = [...queue, { id, action }];
    pump();
  };
  const record = (event: BtcpayEvent): BtcpayDelivery => {
    const id = ids.next('del_');
    return rows.put(id, { id, event, timestamp: clock.seconds(), state: 'waiting', tries: [] });
  };

  return {
    publish(event: BtcpayEvent): void {
      const released = heldBack;
      heldBack = [];
      const action = faults.takeEvent('btcpay', event.type);
      const { id } = record(event);
      if (action === 'drop') rows.put(id, { ...rows.get(id)!, state: 'dropped' });
      else if (action === 'reorder') heldBack = [{ id }];
      else if (typeof action === 'object' && 'delay' in action)
        schedule.at(clock.now() + action.delay, () => enqueue(id));
      else enqueue(id, action);
      if (typeof action === 'object' && 'duplicate' in action)
        for (let copy = 0; copy < action.duplicate; copy++) enqueue(id);
      // What a reorder fault held back follows the event after it.
      for (const one of released) enqueue(one.id);
    },
    /** Sends it once more, whatever became of it. */
    redeliver: (id: string): void => enqueue(id),
    /** Takes up what a restart interrupted. */
    resume(): void {
      for (const { id, state } of rows.all()) if (state === 'waiting') enqueue(id);
    },
    /** Resolves when no try is under way; what waits for its time is not waited for. */
    async settled(): Promise<void> {
      while (underWay) await underWay;
    },
    all: () => rows.all(),
    clear(): void {
      queue = [];
      heldBack = [];
    },
    stop(): void {
      stopped = true;
    },
  };
}
