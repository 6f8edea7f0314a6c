import type { PaymentMethod } from '@fixpoint/api/ports/payment-gateway.ts';
import { describe, test } from 'vitest';
import type { GatewayDriver } from './gateway-driver.ts';

/** Capabilities that only some payment methods have, and how each is detected. */
const seenBy = {
  /** Saves the payment method, and charges it again without its owner. */
  renews: ({ gateway }) => gateway.renewsByItself,
  /** The payer approves every payment, then we capture the money. */
  captures: ({ gateway }) => gateway.close === undefined,
  /** We can close an unpaid payment. */
  closes: ({ gateway }) => gateway.close !== undefined,
  /** The customer types a card. */
  cards: ({ gateway, makeCard }) => gateway.cards !== undefined && makeCard !== undefined,
  /** The provider declines payments. */
  declines: ({ decline }) => decline !== undefined,
  /** The provider's search can lag behind what it created. */
  findsLate: ({ hide }) => hide !== undefined,
  /** The provider sends a webhook event when the owner removes a saved method. */
  withdraws: ({ withdraw }) => withdraw !== undefined,
} satisfies Record<string, (driver: GatewayDriver) => boolean>;

type Capability = keyof typeof seenBy;
export const capabilities = Object.keys(seenBy) as Capability[];

/** Capabilities of each method. Its suite asserts them and runs exactly their tests. */
export const CAPABILITIES: Readonly<Record<PaymentMethod, readonly Capability[]>> = {
  card: ['renews', 'closes', 'cards', 'declines', 'findsLate'],
  paypal: ['renews', 'captures', 'declines', 'findsLate', 'withdraws'],
  promptpay: ['closes', 'findsLate'],
  bitcoin: ['closes'],
};

/** Detects the capabilities of a method from its gateway and driver. */
export const capabilitiesOf = (driver: GatewayDriver): Capability[] =>
  capabilities.filter(capability => seenBy[capability](driver));

/** Declares tests only for methods with all needed capabilities, so that none is skipped. */
export const testsOf =
  (method: PaymentMethod) =>
  (...needed: Capability[]) => {
    const can = needed.every(capability => CAPABILITIES[method].includes(capability));
    return {
      test: (name: string, work: () => Promise<void>) => void (can && test(name, work)),
      describe: (name: string, work: () => void) => void (can && describe(name, work)),
    };
  };
export type TestsOf = ReturnType<typeof testsOf>;
