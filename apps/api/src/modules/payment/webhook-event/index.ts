/**
 * webhook-event — what gateways send by themselves: stored once, then the object that it names is asked about.
 */
export { passOverKnown, processEvent } from './process-event.ts';
export { takeDelivery } from './receive-webhook.ts';
export { sayForeign } from './unrelated-payments.ts';
