import type { FastifyInstance } from 'fastify';
import { createDeliveries } from '../delivery/queue.ts';
import type { OnExchange } from '../exchange.ts';
import type { Parts } from '../parts.ts';
import { mountPaypalApi } from './http.ts';
import { mountPaypalPages } from './pages.ts';
import { paypalSender } from './sender.ts';
import { CERTIFICATE_PATH, createSigning, transmission } from './signing.ts';
import { createPaypalState } from './state.ts';

export type PaypalSettings = {
  clientId: string;
  secret: string;
  webhook: { id: string; url: string };
  /** File from which the shop reads whose certificates may sign its webhooks (PEM). */
  authorityFile: string;
};

/**
 * Sandbox of PayPal with one account and one webhook.
 * @param keeps whether the signing key survives a restart
 */
export function openPaypal(settings: PaypalSettings, parts: Parts, keeps: boolean, onAnswer: OnExchange) {
  const { store, clock, faults, origin } = parts;
  const state = createPaypalState({
    ...parts,
    webhook: settings.webhook,
    onEvent: id => deliveries.publish(id),
  });
  const signing = createSigning(store, keeps, settings.authorityFile);
  const deliveries = createDeliveries({ ...parts, sender: paypalSender(state, settings.webhook, signing) });
  return {
    state,
    deliveries,
    mount(app: FastifyInstance): void {
      mountPaypalApi(app, { state, faults, onAnswer, ...settings });
      app.get(CERTIFICATE_PATH, async (_, reply) =>
        reply.type('application/x-pem-file').send((await signing()).certificate),
      );
      mountPaypalPages(app, state);
    },
    resume: () => deliveries.resume(),
    /**
     * Returns the headers of a delivery with PayPal's signature, for the shop's webhook or another.
     */
    sign: async (body: string, webhookId = settings.webhook.id): Promise<Record<string, string>> =>
      transmission(await signing(), { webhookId, body, at: new Date(clock.now()), origin: origin() }),
  };
}
