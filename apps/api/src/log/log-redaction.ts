import { maskCardNumbers } from '@fixpoint/contract/card-number.ts';

/** What stands before and behind the sign of an address, also where it is part of a link. */
const EMAIL = /(?<![^\s@"<>])[^\s@"<>]+(?:@|%40)[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;

/** The same text without what passes for a card's number (S41) or an e-mail address (S82). */
export const maskPersonal = (text: string): string =>
  maskCardNumbers(text).replace(EMAIL, '[e-mail address]');

type Known = Error & { code?: string; constraint?: string; requestId?: string };

/**
 * All of an error that may be written down: what it is and where it happened. Libraries hang more on theirs: PostgreSQL puts
 * values of a row into `detail`, Stripe request data into `raw`; and a message may quote what was sent (S82).
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
