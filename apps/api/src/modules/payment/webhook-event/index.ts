/**
 * webhook-event — stores each webhook event of a gateway once, then asks the gateway about the object that it names.
 */
export { processEvent, skipKnownEvents } from './process-event.ts';
export { receiveWebhook } from './receive-webhook.ts';
export { markUnrelated } from './unrelated-payments.ts';
export { webhookLag } from './webhook-lag.ts';
