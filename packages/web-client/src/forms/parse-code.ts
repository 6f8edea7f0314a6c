import { plainDigits } from '@fixpoint/contract/fields.ts';

/**
 * Extracts the digits of a one-time code. Drops other characters, keeps leading zeros, cuts the
 * rest.
 */
export const parseCode = (text: string, length = 6): string =>
  plainDigits(text).replace(/\D/g, '').slice(0, length);
