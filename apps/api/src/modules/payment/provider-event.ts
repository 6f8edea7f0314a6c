import type { Notice } from '../../ports/payment-gateway.ts';
import { raise } from '../attention/index.ts';
import { askAttempt } from './ask-attempt.ts';
import type { PaymentDeps } from './deps.ts';
import { settleRefund } from './refunds.ts';

/**
 * A stored notice: its object is looked up and followed. One about nothing of ours is only ticked off: a payment whose
 * name we do not know yet is asked about by its attempt's own clock.
 */
export async function processEvent(deps: PaymentDeps, provider: string, eventId: string): Promise<void> {
  const { db, clock } = deps;
  const event = await db
    .selectFrom('provider_event')
    .selectAll()
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  if (!event || event.processed_at) return;
  await follow(deps, provider, event.about, event.object_ref);
  await db
    .updateTable('provider_event')
    .set({ processed_at: clock.now() })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .execute();
}

async function follow(
  deps: PaymentDeps,
  provider: string,
  about: Notice['about'],
  ref: string,
): Promise<void> {
  const { db, clock, gateways } = deps;
  if (about === 'payment') {
    const methods = Object.values(gateways).flatMap(gateway =>
      gateway.provider === provider ? [gateway.method] : [],
    );
    const attempt = await db
      .selectFrom('attempt')
      .select('id')
      .where('method', 'in', methods)
      .where('provider_ref', '=', ref)
      .executeTakeFirst();
    if (attempt) await askAttempt(deps, attempt.id);
  }
  if (about === 'refund') {
    const refund = await db
      .selectFrom('refund')
      .select('id')
      .where('provider_ref', '=', ref)
      .executeTakeFirst();
    if (refund) await settleRefund(deps, refund.id);
  }
  if (about === 'dispute') await raise(db, clock.now(), { kind: 'dispute', subject: ref });
}
