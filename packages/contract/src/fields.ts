import { holdsCardNumber } from './card-number.ts';

/**
 * One rule for a field in web form and server (W40–W43). Each rule answers with the key of the text to show,
 * or undefined when the value is good. Plain functions: the web client carries no schema library.
 */
export type FieldRule = (value: string) => string | undefined;

/** HTML standard's address pattern plus a dot in the domain, case-insensitive; 254 characters at most (RFC 5321). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

export const emailRule: FieldRule = value => {
  if (value.trim() === '') return 'form.email.required';
  return value.trim().length <= 254 && EMAIL.test(value.trim()) ? undefined : 'form.email.invalid';
};

/** One account for one address: compared and stored trimmed and in lower case. */
export const normalEmail = (value: string): string => value.trim().toLowerCase();

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const PASSWORD = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,128}$/;

export const passwordRule: FieldRule = value => {
  if (value === '') return 'form.password.required';
  return PASSWORD.test(value) ? undefined : 'form.password.rule';
};

/** The characters of a password that its rule has no place for, each once. */
export const strangersInPassword = (value: string): string =>
  [...new Set(value.replace(/[A-Za-z\d@$!%*?&]/g, ''))].join('');

export const confirmPasswordRule =
  (password: string): FieldRule =>
  value => {
    if (value === '') return 'form.confirmPassword.required';
    return value === password ? undefined : 'form.confirmPassword.mismatch';
  };

/** With the digits of other scripts and full-width ones as 0–9: a Burmese or Thai keyboard types its own. */
export const plainDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[๐-๙]/g, digit => String(digit.charCodeAt(0) - 0x0e50))
    .replace(/[໐-໙]/g, digit => String(digit.charCodeAt(0) - 0x0ed0))
    .replace(/[០-៩]/g, digit => String(digit.charCodeAt(0) - 0x17e0))
    .replace(/[၀-၉]/g, digit => String(digit.charCodeAt(0) - 0x1040))
    .replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x0966));

/** A number as it is typed; NaN when it is none. */
export const numberOf = (value: string): number => Number(plainDigits(value));

/** Six digits; spaces and dashes of a pasted code are dropped before the rule. */
export const normalCode = (value: string): string => plainDigits(value).replace(/[\s-]/g, '');
export const codeRule: FieldRule = value => {
  if (normalCode(value) === '') return 'form.code.required';
  return /^\d{6}$/.test(normalCode(value)) ? undefined : 'form.code.length';
};

const KEY_NAME_MAX = 64;
const DEVICE_NAMES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Emails, digits, `_ . -`, 1–64; no name that a file system takes for something else (S54), and no card's number (S41). */
export const keyNameRule: FieldRule = value => {
  if (value === '') return 'form.keyName.required';
  if (value.length > KEY_NAME_MAX || !/^[A-Za-z0-9_.-]+$/.test(value)) return 'form.keyName.invalid';
  const unsafe = !/^[A-Za-z0-9]/.test(value) || value.endsWith('.') || DEVICE_NAMES.test(value);
  if (unsafe) return 'form.keyName.unsafe';
  return holdsCardNumber(value) ? 'form.keyName.card' : undefined;
};

export const DEVICE_LABEL_MAX = 60;

/** What somebody calls a device: words of any script in one line, and no card's number (S41). */
export const deviceLabelRule: FieldRule = value => {
  const label = value.trim();
  if (label.length > DEVICE_LABEL_MAX || /\p{Cc}/u.test(label)) return 'form.deviceLabel.invalid';
  return holdsCardNumber(label) ? 'form.keyName.card' : undefined;
};

/** What somebody writes in his own words: no card's number, which nobody here may have (S41). */
export const ownWordsRule: FieldRule = value => (holdsCardNumber(value) ? 'form.words.card' : undefined);

/**
 * A name for a key, made from what its device is called: by K2, and none of those that are taken.
 * @param label as typed; where nothing of it fits a name, the kind of device names it
 */
export function keyNameOf(label: string, kind: string, taken: readonly string[]): string {
  const plain = label.normalize('NFKD').replace(/\p{M}|['’]/gu, '');
  const words = plain.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
  // Short enough for a number behind it.
  const fitting = words.replace(/^-/, '').slice(0, 60).replace(/-$/, '');
  const base = keyNameRule(fitting) === undefined ? fitting : kind;
  const names = new Set(taken.map(name => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!names.has(name)) return name;
  }
}

/** Mbit/s that a limited key keeps: below it no page of today comes up. */
export const RATE_MIN = 1;

/** Ports of a fixed IP that can lead to a device: those below are a system's own, where programs of a user never listen. */
export const PORT_MIN = 1024;
export const PORT_MAX = 65_535;

export const portRule: FieldRule = value => {
  if (value.trim() === '') return 'form.port.required';
  const port = numberOf(value);
  return Number.isInteger(port) && port >= PORT_MIN && port <= PORT_MAX ? undefined : 'form.port.invalid';
};

/** A limit in whole Mbit/s up to that of the line; nothing is no limit. */
export const rateRule =
  (lineMbit: number): FieldRule =>
  value => {
    const rate = numberOf(value);
    if (value.trim() === '') return undefined;
    return Number.isInteger(rate) && rate >= RATE_MIN && rate <= lineMbit ? undefined : 'form.rate.invalid';
  };
