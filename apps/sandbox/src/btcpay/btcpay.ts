import type { FastifyInstance } from 'fastify';
import { createDeliveries } from '../delivery/queue.ts';
import type { OnExchange } from '../exchange.ts';
import type { Parts } from '../parts.ts';
import { mountBtcpayApi } from './http.ts';
import { watchLater } from './invoices.ts';
import { mountBtcpayPages } from './pages.ts';
import { btcpaySender } from './sender.ts';
import { createBtcpayState } from './state.ts';

export type BtcpaySettings = {
  token: string;
  storeId: string;
  webhook: { secret: string; url: string };
};

/**
 * Sandbox of a BTCPay Server with one store and one webhook. It needs no bitcoin node: buttons send
 * coins.
 */
export function openBtcpay(settings: BtcpaySettings, parts: Parts, onAnswer: OnExchange) {
  const { store, faults } = parts;
  const { token, storeId, webhook } = settings;
  const state = createBtcpayState(store, { ...parts, storeId, onEvent: id => deliveries.publish(id) });
  const deliveries = createDeliveries({ ...parts, sender: btcpaySender(state, webhook) });
  return {
    state,
    deliveries,
    mount(app: FastifyInstance): void {
      mountBtcpayApi(app, { state, faults, token, webhookUrl: webhook.url, onAnswer });
      mountBtcpayPages(app, state);
    },
    /** Continues what a restart interrupted. */
    resume(): void {
      for (const invoice of state.invoices.all()) watchLater(state, invoice);
      deliveries.resume();
    },
  };
}
