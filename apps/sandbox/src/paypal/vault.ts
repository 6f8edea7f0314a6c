import { impossible, notFound } from './errors.ts';
import { emit, newId, type PaypalState } from './state.ts';
import type { PaymentToken, VaultAttribute } from './wire.ts';

/** Setting: delay in ms until an account is saved (`vault/late` of the control interface). */
export const VAULT_DELAY = 'vaultDelay';

/** Saves the buyer's consent to later charges. */
export function createToken(state: PaypalState, email: string): VaultAttribute {
  const id = newId(state).toLowerCase();
  const customer = { id: newId(state).toLowerCase().slice(0, 10) };
  const self = `${state.origin()}/v3/vault/payment-tokens/${id}`;
  const token: PaymentToken = {
    id,
    customer,
    payment_source: { paypal: { email_address: email, usage_type: 'MERCHANT' } },
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: self, rel: 'delete', method: 'DELETE' },
    ],
  };
  const delay = state.settings.get(VAULT_DELAY) ?? 0;
  const keep = () => {
    state.tokens.put(id, token);
    emit(state, {
      event_type: 'VAULT.PAYMENT-TOKEN.CREATED',
      resource_type: 'payment_token',
      summary: 'A payment token has been created.',
      resource: token,
    });
  };
  if (delay === 0) {
    keep();
    return { id, status: 'VAULTED', customer };
  }
  state.schedule.at(state.clock.now() + delay, keep);
  return { id, status: 'APPROVED', customer };
}

/** The current form of an order's token. */
export const vaultNow = (state: PaypalState, vault: VaultAttribute): VaultAttribute =>
  state.tokens.get(vault.id!) ? { ...vault, status: 'VAULTED' } : vault;

/** Finds the token that a payment uses. @throws PaypalRefusal */
export function findToken(state: PaypalState, id: string): PaymentToken {
  const token = state.tokens.get(id);
  if (token) return token;
  throw impossible(
    'TOKEN_ID_NOT_FOUND',
    'Specified token was not found. Verify the token and try the request again.',
  );
}

/** @throws PaypalRefusal */
export function getToken(state: PaypalState, id: string): PaymentToken {
  const token = state.tokens.get(id);
  if (!token) throw notFound();
  return token;
}

/** The buyer or the shop revokes the consent. */
export function deleteToken(state: PaypalState, id: string): void {
  const token = getToken(state, id);
  state.tokens.delete(id);
  emit(state, {
    event_type: 'VAULT.PAYMENT-TOKEN.DELETED',
    resource_type: 'payment_token',
    summary: 'A payment token has been deleted.',
    resource: token,
  });
}
