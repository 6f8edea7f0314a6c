import { declineCause } from '@fixpoint/contract/decline-causes.ts';
import { declineRefusal } from '@fixpoint/domain/payment/attempt.ts';
import { isRefusal, type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { ReportedSaving, SavingBegun } from '../../../ports/payment-gateway.ts';
import { type Admitted, claimCard, namesOfCard, releaseCard } from '../card-testing.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { gatewayCustomerFor, introduceGatewayCustomer, isForgotten } from '../gateway-customers.ts';
import { methodsOf, removeMethod } from './saved-methods.ts';
import { beginSavingCheck } from './saving-check.ts';
import { countSetupDeclines } from './setup-declines.ts';
import { storeMethod } from './store-method.ts';
import { cardCalls, usableCard } from './usable-card.ts';

export type Saving = {
  customerId: string;
  /** Language of the consent sentence that its owner saw. */
  language: string;
  /** ID of the saved card that it replaces. */
  replaces: string | undefined;
  /** Whether its owner wants renewals charged to it. */
  asDefault: boolean;
  admitted: Admitted;
};
type Saved = { id: string } | { asked: { setupIntent: string; clientSecret: string } };

/** Saves a card that the page has just created, after a check. The bank may ask its owner to confirm. */
export async function saveCard(deps: PaymentDeps, card: string, saving: Saving): Promise<Refusal | Saved> {
  const { db, clock } = deps;
  const usable = await usableCard(deps, { made: card });
  if (isRefusal(usable)) return usable;
  const { ref } = usable;
  const names = namesOfCard(saving.admitted.names, usable);
  const refused = await claimCard(deps, { ...saving.admitted, names });
  if (refused) return refused;
  const gateway = gatewayOf(deps.gateways, 'card');
  const { customerId } = saving;
  const gatewayCustomerId = await db
    .transaction()
    .execute(tx => gatewayCustomerFor(tx, clock.now(), gateway.provider, { customerId, earlier: undefined }));
  const { language, replaces, asDefault } = saving;
  const begun: SavingBegun = {
    gatewayCustomerId,
    language,
    ...(replaces && { replaces }),
    ...(asDefault && { asDefault }),
  };
  for (let again = false; ; again = true) {
    await introduceGatewayCustomer(deps, gateway, gatewayCustomerId);
    const gatewayCustomerRef = (await gatewayCustomerOf(deps, customerId))!.ref;
    const key = [gatewayCustomerRef, ref, language, replaces ?? '', asDefault ? 'default' : ''].join('-');
    try {
      const reported = await cardCalls(deps).save({ ref, gatewayCustomerRef, key, begun });
      await countSetupDeclines(deps, reported, { names });
      if (reported.state === 'saved') await releaseCard(deps, names);
      return await follow(deps, reported, saving);
    } catch (error) {
      if (again || !(await isForgotten(deps, error, { id: gatewayCustomerId, ref: gatewayCustomerRef })))
        throw error;
    }
  }
}

/** Continues saving a card after its owner has answered the bank. Refuses another customer's. */
export async function continueSaving(
  deps: PaymentDeps,
  setupIntent: string,
  saving: Saving,
): Promise<Refusal | Saved> {
  const reported = await cardCalls(deps).askSaving(setupIntent);
  const gatewayCustomer = await gatewayCustomerOf(deps, saving.customerId);
  if (!reported || reported.gatewayCustomerRef !== gatewayCustomer?.ref) return refuse('cardNotFound');
  // Under the names of the call that has claimed the card.
  await countSetupDeclines(deps, reported, saving);
  return follow(deps, reported, saving);
}

/**
 * Follows a webhook that saving a card has ended, so that the card is saved even when its owner has closed the page. A card
 * that is saved already, or was removed since, stays as it is. Declines are counted, also of tries that bypassed the shop.
 */
export async function followSaving(deps: PaymentDeps, setupIntent: string): Promise<void> {
  const reported = await cardCalls(deps).askSaving(setupIntent);
  if (!reported?.begun) return;
  const { gatewayCustomerRef, begun } = reported;
  const gatewayCustomer = await deps.db
    .selectFrom('gateway_customer')
    .select('customer_id as customerId')
    .where('id', '=', begun.gatewayCustomerId)
    .where('provider_ref', '=', gatewayCustomerRef)
    .executeTakeFirst();
  if (!gatewayCustomer?.customerId) return;
  const { customerId } = gatewayCustomer;
  if (reported.state !== 'saved') return countSetupDeclines(deps, reported, { customerId });
  await countSetupDeclines(deps, reported, { customerId });
  const { card } = reported;
  const saved = await methodsOf(deps.db, customerId).where('provider_ref', '=', card.ref).executeTakeFirst();
  if (saved) return;
  const { language, replaces, asDefault = false } = begun;
  await follow(deps, reported, { customerId, language, replaces, asDefault });
}

async function follow(
  deps: PaymentDeps,
  reported: ReportedSaving,
  { customerId, language, replaces, asDefault }: Omit<Saving, 'admitted'>,
): Promise<Refusal | Saved> {
  if (reported.state === 'asked') {
    return { asked: { setupIntent: reported.ref, clientSecret: reported.clientSecret } };
  }
  if (reported.state === 'refused') {
    return refuse(declineRefusal(reported.decline), { cause: declineCause(reported.decline) });
  }
  const { card } = reported;
  const check = await beginSavingCheck(deps, card.ref);
  // A repeated or late call: a saving stays successful at the gateway after its owner has removed the card.
  if (!(await cardCalls(deps).readSaved(card.ref))) return refuse('cardNotFound');
  const stored = await storeMethod(deps, {
    customerId,
    gatewayCustomerId: (await gatewayCustomerOf(deps, customerId))!.id,
    method: card,
    language,
    consentedAt: deps.clock.now(),
    chosen: { check, replaces, asDefault },
  });
  if (isRefusal(stored)) return stored;
  if (replaces && replaces !== stored) await removeMethod(deps, customerId, replaces);
  return { id: stored };
}

/** The customer's gateway customer at the gateway for cards. */
async function gatewayCustomerOf({ db, gateways }: PaymentDeps, customerId: string) {
  const gatewayCustomer = await db
    .selectFrom('gateway_customer')
    .select(['id', 'provider_ref as ref'])
    .where('customer_id', '=', customerId)
    .where('provider', '=', gatewayOf(gateways, 'card').provider)
    .executeTakeFirst();
  return gatewayCustomer?.ref ? { id: gatewayCustomer.id, ref: gatewayCustomer.ref } : undefined;
}
