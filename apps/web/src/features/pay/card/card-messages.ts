/**
 * Messages between order page and payment page. The provider's script runs only in the payment
 * page, on an origin and policy of its own (S65); the shop's page never runs foreign scripts.
 */
import type { CardField } from '../../../shop/card-field.ts';

/** `ready`: accepts input. `wrong`: the provider's error code of the input. */
export type CardFieldState = {
  ready: boolean;
  complete: boolean;
  focused: boolean;
  wrong: string | undefined;
};

/**
 * The provider's answer, reduced to what is used; no error means success. `card`: id of the card
 * created from the input.
 */
export type CardResult = {
  card?: string;
  error?: { type?: string; code?: string; decline_code?: string; message?: string };
};

/** Look of the fields and the texts beside them, sent at every change. */
export type CardLook = {
  labels: Record<CardField, string>;
  errors: Partial<Record<CardField, string>>;
  /** BCP 47 tag of the page's texts. */
  language: string;
  /** The user's choice; undefined follows the system. */
  theme: string | undefined;
};

export type ToPay =
  | { kind: 'show'; look: CardLook }
  | { kind: 'focus'; field: CardField }
  /** Creates a card from the input; nothing is charged. */
  | { kind: 'make'; holder: string; email: string }
  /** Shows the bank's question, and waits for the answer. */
  | { kind: 'ask'; clientSecret: string };

export type FromPay =
  | { kind: 'listening' }
  | { kind: 'status'; status: 'ready' | 'failed' }
  | { kind: 'field'; field: CardField; change: Partial<CardFieldState> }
  /** Height of the fields in CSS pixels. */
  | { kind: 'height'; height: number }
  /** Whether the bank's dialog covers the page (3-D Secure). */
  | { kind: 'asking'; asking: boolean }
  /** Undefined: the provider's script itself failed. */
  | { kind: 'answered'; result: CardResult | undefined };
