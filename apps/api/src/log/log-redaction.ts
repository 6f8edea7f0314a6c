import { maskCardNumbers } from '@fixpoint/contract/card-number.ts';

/** Text around the @ of an email address, also inside a link. */
const EMAIL = /(?<![^\s@"<>])[^\s@"<>]+(?:@|%40)[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;

/** Masks what passes for a card number (S41) or an email address (S82). */
export const maskPersonal = (text: string): string =>
  maskCardNumbers(text).replace(EMAIL, '[e-mail address]');

type Known = Error & { code?: string; constraint?: string; requestId?: string };

/**
 * Reduces an error to what may be logged: its type and location. Libraries attach more: PostgreSQL
 * puts row values into `detail`, Stripe request data into `raw`, and messages may quote input
 * (S82).
 */
export const serializeError = (error: unknown) => {
  const { name, message, code, constraint, requestId, stack } = error as Known;
  return {
    type: name,
    message: message && maskPersonal(message),
    code,
    constraint,
    providerRequest: requestId,
    stack: stack && maskPersonal(stack),
  };
};
