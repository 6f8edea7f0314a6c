import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Faults } from '../control/faults.ts';
import type { Ids } from '../ids.ts';
import type { Schedule } from '../schedule.ts';
import type { Store } from '../store.ts';
import { type BtcpayContext, mountBtcpayApi } from './http.ts';
import { watchLater } from './invoices.ts';
import { mountBtcpayPages } from './pages.ts';
import { createBtcpayDeliveries } from './webhooks.ts';
import { createBtcpayWorld } from './world.ts';

export type BtcpaySettings = {
  token: string;
  storeId: string;
  webhookSecret: string;
  webhookUrl: string;
};

export type Btcpay = ReturnType<typeof openBtcpay>;

/** The stand-in for a BTCPay Server with one store and one webhook. It needs no bitcoin node: coins are a click away. */
export function openBtcpay(
  settings: BtcpaySettings,
  parts: {
    store: Store;
    clock: Clock;
    ids: Ids;
    schedule: Schedule;
    faults: Faults;
    origin(): string;
    onAnswer?: BtcpayContext['onAnswer'];
  },
) {
  const { store, faults, onAnswer } = parts;
  const { token, storeId, webhookUrl: url, webhookSecret: secret } = settings;
  const deliveries = createBtcpayDeliveries({ ...parts, url, secret });
  const world = createBtcpayWorld(store, { ...parts, storeId, onEvent: deliveries.publish });
  return {
    world,
    deliveries,
    mount(app: FastifyInstance): void {
      mountBtcpayApi(app, { world, faults, token, onAnswer });
      mountBtcpayPages(app, world);
    },
    /** Takes up what a restart interrupted. */
    resume(): void {
      for (const invoice of world.invoices.all()) watchLater(world, invoice);
      deliveries.resume();
    },
  };
}
