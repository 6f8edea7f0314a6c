import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Gateways, Provider } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import { raiseAlert } from '../../alert/index.ts';
import { askForWebhook } from '../attempt/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { followDispute } from '../dispute/index.ts';
import { followRefund } from '../refund/index.ts';
import { followMethod, followSaving } from '../saved-method/index.ts';
import { isUnrelated } from './unrelated-payments.ts';

type Event = Selectable<Tables['provider_event']>;

/** An event about an unknown object waits for this long: it may be faster than the answer that names the object. */
const PUT_OFF_MS = 5 * 60_000;

/**
 * Processes a stored event: asks the gateway about the object that it names and applies its state. An unknown object is
 * looked for again; money that stays unknown raises an alert, unless staff has marked it as unrelated.
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
  else if (!(await followMoney(deps, event)) && !(await isUnrelated(db, event.provider as Provider, ref))) {
    // The scheduled task for late webhook events processes it again.
    if (now.getTime() - event.received_at.getTime() < PUT_OFF_MS) return;
    await raiseAlert(db, now, {
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

/** @returns false when it is about a payment, refund or dispute that the shop does not know */
async function followMoney(deps: PaymentDeps, event: Event): Promise<boolean> {
  const { about, object_ref: ref } = event;
  if (about === 'dispute') return followDispute(deps, event.provider as Provider, ref);
  if (about === 'refund') {
    const refund = await refundOf(deps, event);
    if (refund) await followRefund(deps, refund.id);
    return refund !== undefined;
  }
  const known = await askForWebhook(deps, isOfAttempt(deps.gateways, event), ref);
  return known || !event.moved;
}

/** Selects the attempt of an event: by the gateway's ID, or by the shop's ID while no answer has named that. */
export const isOfAttempt =
  (gateways: Gateways, { provider, object_ref, own_id }: Pick<Event, 'provider' | 'object_ref' | 'own_id'>) =>
  ({ and, or, eb }: ExpressionBuilder<Tables, 'attempt'>) =>
    and([
      eb('method', 'in', methodsOf(gateways, provider)),
      or([eb('provider_ref', '=', object_ref), and([eb('id', '=', own_id), eb('provider_ref', 'is', null)])]),
    ]);

const methodsOf = (gateways: Gateways, provider: string) =>
  Object.values(gateways).flatMap(gateway => (gateway.provider === provider ? [gateway.method] : []));

/** Up to as many as a gateway could charge in a minute. */
const PASSED_A_MINUTE = 6000;

/**
 * Marks events that say nothing new as processed, in one statement: their payment has come, its fee is known, and no more can
 * come. On a day with many renewals they are as many as the charges.
 */
export async function skipKnownEvents({
  db,
  clock,
  gateways,
}: Pick<PaymentDeps, 'db' | 'clock' | 'gateways'>) {
  for (const provider of new Set(Object.values(gateways).map(gateway => gateway.provider))) {
    const methods = methodsOf(gateways, provider).filter(method => gateways[method]!.unapplied === 'refund');
    await sql`update provider_event set processed_at = ${clock.now()} where ctid = any(array(
      select event.ctid from provider_event event join attempt on attempt.provider_ref = event.object_ref
      where event.processed_at is null and event.provider = ${provider} and event.about = 'payment'
        and attempt.method = any(${methods}) and attempt.status = 'succeeded' and attempt.fee is not null
      order by event.received_at limit ${PASSED_A_MINUTE}))`.execute(db);
  }
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
