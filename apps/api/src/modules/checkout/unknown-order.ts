import { type Refusal, refuseFields } from '../../kernel/refusal.ts';

/** Refuses an order that does not exist, and another customer's alike (S29). The catalogue has no code for it. */
export const unknownOrder = (): Refusal => refuseFields({ order: 'form.order.unknown' });
