/**
 * What the order page and the pay document tell each other. The provider's script runs in the pay document alone, a
 * document of its own origin and policy (S65): the shop's page never carries a foreign script.
 */
import type { CardField } from '../../../shop/card-field.ts';

/** `ready`: it can be typed into. `wrong` is the provider's code of what is wrong with what was typed. */
export type CardFieldState = {
  ready: boolean;
  complete: boolean;
  focused: boolean;
  wrong: string | undefined;
};

/** What the provider answers, without what nobody reads: no error is a yes. `card`: what it made of what was typed. */
export type CardResult = {
  card?: string;
  error?: { type?: string; code?: string; decline_code?: string; message?: string };
};

/** How the fields look and what stands beside them; said again whenever one of these changes. */
export type CardLook = {
  labels: Record<CardField, string>;
  errors: Partial<Record<CardField, string>>;
  /** BCP 47, of the page's texts. */
  language: string;
  /** The visitor's own choice; undefined follows the system. */
  theme: string | undefined;
};

export type ToPay =
  | { kind: 'show'; look: CardLook }
  | { kind: 'focus'; field: CardField }
  /** Make a card of what was typed; nothing is charged by that. */
  | { kind: 'make'; holder: string; email: string }
  /** Show what the bank asks, and wait for the answer. */
  | { kind: 'ask'; clientSecret: string };

export type FromPay =
  | { kind: 'listening' }
  | { kind: 'status'; status: 'ready' | 'failed' }
  | { kind: 'field'; field: CardField; change: Partial<CardFieldState> }
  /** CSS pixels that the fields need. */
  | { kind: 'height'; height: number }
  /** The bank asks something over the whole page (3-D Secure), or no longer. */
  | { kind: 'asking'; asking: boolean }
  /** Undefined: the provider's script itself failed. */
  | { kind: 'answered'; result: CardResult | undefined };
