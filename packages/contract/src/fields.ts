import { holdsCardNumber } from './card-number.ts';

/**
 * Field rules shared by web forms and server (W40–W43). A rule returns the key of the text to show,
 * or undefined for a valid value. Plain functions, because the web client carries no schema
 * library.
 */
export type FieldRule = (value: string) => string | undefined;

/**
 * The HTML standard's email pattern, case-insensitive, without what no mail server delivers: dots
 * beside each other or at an end (RFC 5321, dot-string), more than 64 characters before the `@`, a
 * domain without a dot or ending in a number. Up to 254 characters.
 */
const EMAIL =
  /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

/** Devices that the network of a subscription has addresses for. */
export const MOST_DEVICES = 31;

export const emailRule: FieldRule = value => {
  if (value.trim() === '') return 'form.email.required';
  return value.trim().length <= 254 && EMAIL.test(value.trim()) ? undefined : 'form.email.invalid';
};

/** Emails are compared and stored trimmed and in lower case: one account per address. */
export const normalEmail = (value: string): string => value.trim().toLowerCase();

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const PASSWORD = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,128}$/;

export const passwordRule: FieldRule = value => {
  if (value === '') return 'form.password.required';
  return PASSWORD.test(value) ? undefined : 'form.password.rule';
};

/** Characters of a password that its rule does not allow, each once. */
export const invalidPasswordCharacters = (value: string): string =>
  [...new Set(value.replace(/[A-Za-z\d@$!%*?&]/g, ''))].join('');

export const confirmPasswordRule =
  (password: string): FieldRule =>
  value => {
    if (value === '') return 'form.confirmPassword.required';
    return value === password ? undefined : 'form.confirmPassword.mismatch';
  };

/**
 * Converts digits of other scripts and full-width ones to 0–9: a Burmese or Thai keyboard types its
 * own.
 */
export const plainDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[๐-๙]/g, digit => String(digit.charCodeAt(0) - 0x0e50))
    .replace(/[໐-໙]/g, digit => String(digit.charCodeAt(0) - 0x0ed0))
    .replace(/[០-៩]/g, digit => String(digit.charCodeAt(0) - 0x17e0))
    .replace(/[၀-၉]/g, digit => String(digit.charCodeAt(0) - 0x1040))
    .replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x0966));

/** A typed number; NaN if it is none. */
export const numberOf = (value: string): number => Number(plainDigits(value));

/** Removes spaces and dashes of a pasted code, before the rule (six digits). */
export const normalCode = (value: string): string => plainDigits(value).replace(/[\s-]/g, '');
export const codeRule: FieldRule = value => {
  if (normalCode(value) === '') return 'form.code.required';
  return /^\d{6}$/.test(normalCode(value)) ? undefined : 'form.code.length';
};

const KEY_NAME_MAX = 64;
const DEVICE_NAMES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Letters, digits, `_ . -`, 1–64; no name that is special to a file system (S54), no card number
 * (S41).
 */
export const keyNameRule: FieldRule = value => {
  if (value === '') return 'form.keyName.required';
  if (value.length > KEY_NAME_MAX || !/^[A-Za-z0-9_.-]+$/.test(value)) return 'form.keyName.invalid';
  const unsafe = !/^[A-Za-z0-9]/.test(value) || value.endsWith('.') || DEVICE_NAMES.test(value);
  if (unsafe) return 'form.keyName.unsafe';
  return holdsCardNumber(value) ? 'form.keyName.card' : undefined;
};

const DEVICE_LABEL_MAX = 60;

/** Label of a device or a subscription: one line of any script, without a card number (S41). */
export const deviceLabelRule: FieldRule = value => {
  const label = value.trim();
  if (label.length > DEVICE_LABEL_MAX || /\p{Cc}/u.test(label)) return 'form.deviceLabel.invalid';
  return holdsCardNumber(label) ? 'form.keyName.card' : undefined;
};

/** Free text without a card number, which the shop must not store (S41). */
export const freeTextRule: FieldRule = value => (holdsCardNumber(value) ? 'form.words.card' : undefined);

/**
 * The unused key name nearest to what was typed, by the rule K2.
 * @param typed any text; `kind` (the kind of device) is the name where nothing of it is usable
 */
export function keyNameOf(typed: string, kind: string, taken: readonly string[]): string {
  const plain = typed.normalize('NFKD').replace(/\p{M}|['’]/gu, '');
  const words = plain.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[_.-]+/, '');
  // Leaves room for a number at the end.
  const fitting = words.slice(0, 60).replace(/[.-]+$/, '');
  const base = keyNameRule(fitting) === undefined ? fitting : kind;
  const names = new Set(taken.map(name => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!names.has(name.toLowerCase())) return name;
  }
}

/** Lowest limit of a key in Mbit/s: below it no modern page loads. */
export const RATE_MIN = 1;

/**
 * Ports of a fixed IP that can be forwarded. Lower ones are reserved for the system; user programs
 * do not listen there.
 */
export const PORT_MIN = 1024;
export const PORT_MAX = 65_535;

export const portRule: FieldRule = value => {
  if (value.trim() === '') return 'form.port.required';
  const port = numberOf(value);
  return Number.isInteger(port) && port >= PORT_MIN && port <= PORT_MAX ? undefined : 'form.port.invalid';
};

/** A limit in whole Mbit/s up to the line rate; empty means no limit. */
export const rateRule =
  (lineMbit: number): FieldRule =>
  value => {
    const rate = numberOf(value);
    if (value.trim() === '') return undefined;
    return Number.isInteger(rate) && rate >= RATE_MIN && rate <= lineMbit ? undefined : 'form.rate.invalid';
  };
