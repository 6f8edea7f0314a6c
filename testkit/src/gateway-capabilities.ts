import type { PaymentMethod } from '@fixpoint/api/ports/payment-gateway.ts';
import { describe, test } from 'vitest';
import type { GatewayDriver } from './gateway-driver.ts';

/** What some methods can and others cannot, and by what it is seen. */
const seenBy = {
  /** What paid is kept, and pays again without its owner's hand. */
  renews: ({ gateway }) => gateway.renewsByItself,
  /** The payer agrees, and we take the money. */
  captures: ({ gateway }) => gateway.capture !== undefined,
  /** What nobody has paid is closed by us. */
  closes: ({ gateway }) => gateway.close !== undefined,
  /** A card is typed. */
  cards: ({ gateway, makeCard }) => gateway.cards !== undefined && makeCard !== undefined,
  /** Its provider refuses money. */
  declines: ({ decline }) => decline !== undefined,
  /** Its provider can be late to find what it made. */
  findsLate: ({ hide }) => hide !== undefined,
  /** Its provider tells when the owner withdraws what is kept. */
  withdraws: ({ withdraw }) => withdraw !== undefined,
} satisfies Record<string, (driver: GatewayDriver) => boolean>;

type Capability = keyof typeof seenBy;
export const capabilities = Object.keys(seenBy) as Capability[];

/** What each method can: its suite asserts it, and tries exactly that. What is missing here is tried nowhere. */
export const CAPABILITIES: Readonly<Record<PaymentMethod, readonly Capability[]>> = {
  card: ['renews', 'closes', 'cards', 'declines', 'findsLate'],
  paypal: ['renews', 'captures', 'declines', 'findsLate', 'withdraws'],
  promptpay: ['closes', 'findsLate'],
  bitcoin: ['closes'],
};

/** What a method can, by its gateway and its provider. */
export const capabilitiesOf = (driver: GatewayDriver): Capability[] =>
  capabilities.filter(capability => seenBy[capability](driver));

/** Declares tests only where a method can all that they need, so that none of them is skipped. */
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
