/**
 * What the order page and the pay document tell each other. The provider's script runs in the pay document alone, a
 * document of its own origin and policy (S65): the shop's page never carries a foreign script.
 */
export const cardFields = ['number', 'expiry', 'cvc'] as const;
export type CardField = (typeof cardFields)[number];
/** The place of a field, in the page (an error summary links there) and in the pay document. */
export const cardFieldId = (field: CardField) => `card-${field}`;

/** `ready`: it can be typed into. `wrong` is the provider's code of what is wrong with what was typed. */
export type CardFieldState = {
  ready: boolean;
  complete: boolean;
  focused: boolean;
  wrong: string | undefined;
};

/** What the provider answers, without what nobody reads. No error: the card was taken. */
export type CardResult = {
  error?: { type?: string; code?: string; decline_code?: string; message?: string };
};

/** How the fields look and what stands beside them; said anew whenever one of these changes. */
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
  | { kind: 'confirm'; clientSecret: string; email: string };

export type FromPay =
  | { kind: 'listening' }
  | { kind: 'status'; status: 'ready' | 'failed' }
  | { kind: 'field'; field: CardField; change: Partial<CardFieldState> }
  /** CSS pixels that the fields need. */
  | { kind: 'height'; height: number }
  /** The bank asks something over the whole page (3-D Secure), or no longer. */
  | { kind: 'asking'; asking: boolean }
  /** Undefined: the provider's script itself failed. */
  | { kind: 'confirmed'; result: CardResult | undefined };
