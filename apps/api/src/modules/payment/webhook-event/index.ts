/**
 * webhook-event — what gateways send by themselves: stored once, then the object that it names is asked about.
 */
export { processEvent, skipKnownEvents } from './process-event.ts';
export { receiveWebhook } from './receive-webhook.ts';
export { markUnrelated } from './unrelated-payments.ts';
