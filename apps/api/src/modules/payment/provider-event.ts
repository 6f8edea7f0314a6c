import type { Selectable } from 'kysely';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { raise } from '../attention/index.ts';
import { askAttempt } from './ask-attempt.ts';
import type { PaymentDeps } from './deps.ts';
import { settleRefund } from './refunds.ts';
import { dropMethod } from './saved-methods.ts';

type Event = Selectable<Tables['provider_event']>;

/** A stored notice: its object is looked up and followed. Money that is nobody's is somebody's matter. */
export async function processEvent(deps: PaymentDeps, provider: string, eventId: string): Promise<void> {
  const { db, clock } = deps;
  const event = await db
    .selectFrom('provider_event')
    .selectAll()
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  if (!event || event.processed_at) return;
  await follow(deps, event);
  await db
    .updateTable('provider_event')
    .set({ processed_at: clock.now() })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .execute();
}

async function follow(deps: PaymentDeps, event: Event): Promise<void> {
  const { db, clock } = deps;
  const { about, object_ref: ref, type } = event;
  if (about === 'payment') {
    const attempt = await attemptOf(deps, event);
    if (attempt) return askAttempt(deps, attempt.id);
    if (event.moved) await raise(db, clock.now(), { kind: 'payment.unknown', subject: ref, what: { type } });
  }
  if (about === 'refund') {
    const refund = await refundOf(deps, event);
    if (refund) return settleRefund(deps, refund.id);
    await raise(db, clock.now(), { kind: 'refund.unknown', subject: ref, what: { type } });
  }
  if (about === 'method')
    await db.transaction().execute(tx => dropMethod(tx, event.provider as Provider, ref));
  if (about === 'dispute') await raise(db, clock.now(), { kind: 'dispute', subject: ref, what: { type } });
}

/** The attempt that an event is about; by its own id as long as no answer has said what the provider calls it. */
function attemptOf({ db, gateways }: PaymentDeps, { provider, object_ref, own_id }: Event) {
  const methods = Object.values(gateways).flatMap(gateway =>
    gateway.provider === provider ? [gateway.method] : [],
  );
  return db
    .selectFrom('attempt')
    .select('id')
    .where('method', 'in', methods)
    .where(({ or, and, eb }) =>
      or([eb('provider_ref', '=', object_ref), and([eb('id', '=', own_id), eb('provider_ref', 'is', null)])]),
    )
    .executeTakeFirst();
}

/** The refund that an event is about, likewise. */
const refundOf = ({ db }: PaymentDeps, { object_ref, own_id }: Event) =>
  db
    .selectFrom('refund')
    .select('id')
    .where(({ or, and, eb }) =>
      or([eb('provider_ref', '=', object_ref), and([eb('id', '=', own_id), eb('provider_ref', 'is', null)])]),
    )
    .executeTakeFirst();
