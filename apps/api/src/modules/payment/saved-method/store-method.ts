import { createHash } from 'node:crypto';
import { maskCardNumbers } from '@fixpoint/contract/card-number.ts';
import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import { notifyFrom } from '@fixpoint/domain/payment/card.ts';
import { newId } from '../../../crypto/secrets.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { Consent } from '../../../ports/json-columns.ts';
import type { MethodFacts } from '../../../ports/payment-gateway.ts';
import { unpaidRenewals } from '../../billing/index.ts';
import { uiTexts } from '../../text/index.ts';
import type { PaymentDeps } from '../deps.ts';
import { forgetLater } from './forget-methods.ts';
import { methodsOf, setDefault } from './saved-methods.ts';
import { endSavingChecks } from './saving-check.ts';

type NewMethod = {
  customerId: string;
  gatewayCustomerId: string;
  method: MethodFacts;
  /** Language of the consent sentence for a card, and when its owner agreed to it. */
  language: string;
  consentedAt: Date;
  /**
   * Its owner saves it by itself, not by a payment. `asDefault`: they want renewals charged to it; `replaces`: the saved
   * method whose place it takes; `check`: see `saving-check.ts`.
   */
  chosen?: { check: string; asDefault: boolean; replaces: string | undefined };
};

/**
 * Saves a method for its owner, the same card once: its earlier copy is detached at the gateway.
 * @returns its id; a refusal when the account has ended, or its owner has removed the method since it was checked
 */
export async function storeMethod(deps: PaymentDeps, given: NewMethod): Promise<Refusal | string> {
  const { db, clock, holdActive } = deps;
  const { customerId, gatewayCustomerId, method, language, consentedAt, chosen } = given;
  const facts = methodColumns(method);
  const known = {
    provider_ref: method.ref,
    gateway_customer_id: gatewayCustomerId,
    ...facts,
    ...(facts.method === 'card' && {
      consent: await cardConsent(db, language),
      consented_at: consentedAt,
    }),
  };
  return db.transaction().execute(async tx => {
    // A job may come late: an account that ended meanwhile keeps nothing (S83), here and at its provider. Exclusive: a page and
    // a webhook bring the same one at once, and there is no row yet to lock.
    if (!(await holdActive(tx, customerId, true))) {
      await forgetLater(deps, tx, facts.method, method.ref);
      return refuse('sessionExpired');
    }
    // Lock order: a charge of past-due renewals locks their subscriptions first.
    if (chosen)
      await unpaidRenewals(tx, customerId)
        .select('subscription.id')
        .orderBy('subscription.id')
        .forUpdate('subscription')
        .execute();
    const saved = await methodsOf(tx, customerId).forUpdate().execute();
    const before = saved.find(
      other => other.method === facts.method && other.fingerprint === method.fingerprint,
    );
    // A repeated call is about the same card. Its owner may have made another one the default since.
    const isRepeated = saved.some(other => other.provider_ref === method.ref);
    const isChecked = chosen && (await endSavingChecks(tx, method.ref)).includes(chosen.check);
    if (chosen && !isChecked && !isRepeated) return refuse('cardNotFound');
    const row = { ...known, notify_at: expiryNoticeAt(method, before) };
    const { id } = await tx
      .insertInto('saved_method')
      .values({
        id: newId('met'),
        customer_id: customerId,
        fingerprint: method.fingerprint,
        ...row,
        is_default: !saved.some(other => other.is_default),
        created_at: clock.now(),
      })
      .onConflict(conflict => conflict.columns(['customer_id', 'method', 'fingerprint']).doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    const present = saved.find(other => other.is_default);
    const takesPlace = !present || present.id === chosen?.replaces || present.id === before?.id;
    if (chosen && !isRepeated && (chosen.asDefault || takesPlace)) {
      await setDefault(tx, customerId, id);
      await deps.publish(tx, { type: 'defaultMethodSet', customerId });
    }
    if (before && before.provider_ref !== method.ref) {
      await endSavingChecks(tx, before.provider_ref);
      await forgetLater(deps, tx, before.method, before.provider_ref);
    }
    return id;
  });
}

/** The time of the notice that a card expires: one notice per expiry, however often the card is used. */
export function expiryNoticeAt(
  method: MethodFacts,
  before: { expiry_month: number | null; expiry_year: number | null; notify_at: Date | null } | undefined,
): Date | null {
  if ('account' in method) return null;
  const { expiryMonth, expiryYear } = method;
  const isKnown = before?.expiry_month === expiryMonth && before.expiry_year === expiryYear;
  return isKnown ? before.notify_at : notifyFrom({ expiryMonth, expiryYear });
}

/** The columns by which its owner recognises a method. */
export const methodColumns = (method: MethodFacts) =>
  'account' in method
    ? { method: 'paypal' as const, account: method.account }
    : {
        method: 'card' as const,
        brand: method.brand,
        last4: method.last4,
        expiry_month: method.expiryMonth,
        expiry_year: method.expiryYear,
        // Some customers type the card number into the field for the name.
        holder: method.holder === undefined ? null : maskCardNumbers(method.holder),
      };

/**
 * The sentence beside the fields of a card, in a language: saved with the card, since a charge while its owner is away
 * rests on it. Its version changes with every word.
 */
async function cardConsent(db: Db, language: string): Promise<Consent> {
  const shown = languageOrDefault(language);
  const text = (await uiTexts(db, shown))['order.card.consent']!;
  return { version: createHash('sha256').update(text).digest('hex').slice(0, 12), language: shown, text };
}
