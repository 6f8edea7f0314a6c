import type { Selectable } from 'kysely';
import type { Provider } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { raise } from '../attention/index.ts';
import { askAttempt } from './ask-attempt.ts';
import type { PaymentDeps } from './deps.ts';
import { followDispute } from './disputes.ts';
import { followMethod } from './follow-method.ts';
import { settleRefund } from './refunds.ts';
import { followSaving } from './save-card.ts';

type Event = Selectable<Tables['provider_event']>;

/** News may be faster than the answer that tells us the name of what they are about: so long they are put off. */
const PUT_OFF_MS = 5 * 60_000;

/**
 * A stored notice: its object is looked up and followed. What nobody knows yet is looked for again; money that stays
 * nobody's is somebody's matter.
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
  const now = clock.now();
  const { about, object_ref: ref } = event;
  if (about === 'method') await followMethod(deps, event.provider as Provider, ref);
  else if (about === 'saving') await followSaving(deps, ref);
  else if (!(await followMoney(deps, event))) {
    // The duty that works off late notices brings it again.
    if (now.getTime() - event.received_at.getTime() < PUT_OFF_MS) return;
    await raise(db, now, {
      kind: `${about}.unknown`,
      subject: ref,
      what: { type: event.type },
    });
  }
  await db
    .updateTable('provider_event')
    .set({ processed_at: clock.now() })
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .execute();
}

/** @returns false when it tells of money or a dispute and is about nothing that we know */
async function followMoney(deps: PaymentDeps, event: Event): Promise<boolean> {
  const { about, object_ref: ref } = event;
  if (about === 'dispute') return followDispute(deps, event.provider as Provider, ref);
  if (about === 'refund') {
    const refund = await refundOf(deps, event);
    if (refund) await settleRefund(deps, refund.id);
    return refund !== undefined;
  }
  const attempt = await attemptOf(deps, event);
  if (attempt) await askAttempt(deps, attempt.id, ref);
  return attempt !== undefined || !event.moved;
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
