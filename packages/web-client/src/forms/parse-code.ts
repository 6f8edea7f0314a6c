import { plainDigits } from '@fixpoint/contract/fields.ts';

/** The digits of a one-time code as typed or pasted: other signs fall away, leading zeros stay, the rest is cut. */
export const parseCode = (text: string, length = 6): string =>
  plainDigits(text).replace(/\D/g, '').slice(0, length);
