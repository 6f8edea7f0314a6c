import { isIPv4, isIPv6 } from 'node:net';
import type { Kind, Secrets } from './secrets.ts';

/** Loopback and unspecified addresses, on which the shop itself listens. Any other address belongs to somebody. */
const isOwnAddress = (address: string): boolean =>
  /^(::ffff:)?(127\.\d+\.\d+\.\d+|0\.0\.0\.0)$/i.test(address) || /^::1?$/.test(address);

/** Whether a number has the check digit of card numbers (Luhn). */
function hasCheckDigit(number: string): boolean {
  const digits = [...number.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

type Shape = { kind: Kind; looks: RegExp; is?: (found: string) => boolean };
const shapes: Shape[] = [
  { kind: 'e-mail address', looks: /(?<=[\w.+-])(?:@|%40)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/gi },
  {
    kind: 'IP address',
    looks: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g,
    is: found => isIPv4(found) && !isOwnAddress(found),
  },
  {
    kind: 'IP address',
    looks: /(?<![\w:.])[\da-f:.]{2,45}(?![\w:])/gi,
    is: found => isIPv6(found) && !isOwnAddress(found),
  },
  // Output of `newToken`: 32 random bytes.
  {
    kind: 'what looks like a token',
    looks: /(?<![\w+/=$-])[\w-]{43}(?![\w+/=-])/g,
    is: found => /[a-z]/.test(found) && /[A-Z]/.test(found) && /\d/.test(found),
  },
  { kind: 'token', looks: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  { kind: 'token', looks: /\b(?:[sr]k_(?:test|live)|whsec)_\w{8,}|_secret_\w{8,}/g },
  { kind: 'password hash', looks: /\$argon2/g },
  { kind: 'private key', looks: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|OpenVPN Static key/g },
  {
    kind: 'card number',
    looks: /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w.-])/g,
    is: hasCheckDigit,
  },
];

/** Words of a text are looked up in a map, because a shop that stops has thousands of words and of secrets. */
const WORD = /(?<![\w-])[\w-]{6,}/g;

/** Number of characters by which a word is looked up. */
const BEGINNING = 6;

/**
 * Secrets that contain other characters than words do. One is searched only where a word of the text starts like its
 * second word. One without a second word is searched in every text.
 */
type Phrases = { of: number; bySecondWord: Map<string, string[]>; others: string[] };
const known = new WeakMap<Secrets, Phrases>();

function phrasesOf(secrets: Secrets): Phrases {
  const last = known.get(secrets);
  if (last?.of === secrets.size) return last;
  const phrases: Phrases = { of: secrets.size, bySecondWord: new Map(), others: [] };
  known.set(secrets, phrases);
  for (const secret of secrets.keys()) {
    if (/^[\w-]+$/.test(secret)) continue;
    const beginning = /[^\w-]([\w-]{6})/.exec(secret)?.[1];
    if (beginning === undefined) phrases.others.push(secret);
    else phrases.bySecondWord.set(beginning, [...(phrases.bySecondWord.get(beginning) ?? []), secret]);
  }
  return phrases;
}

/** Kinds of secrets that a text holds. */
export function kindsIn(text: string, secrets: Secrets): Set<Kind> {
  const found = secretsIn(text, secrets);
  for (const { kind, looks, is } of shapes) {
    if (!found.has(kind) && (text.match(looks) ?? []).some(one => is?.(one) ?? true)) found.add(kind);
  }
  return found;
}

/** Same for bytes. Only exact secrets count, because random bytes contain any short shape by chance. */
export function kindsInBytes(bytes: Buffer, secrets: Secrets): Set<Kind> {
  const text = bytes.toString('latin1');
  if (/^[\s\x20-\x7e]*$/.test(text)) return kindsIn(text, secrets);
  const found = secretsIn(text, secrets);
  const kind = secrets.get(bytes.toString('base64url')) ?? secrets.get(bytes.toString('hex'));
  return kind ? found.add(kind) : found;
}

function secretsIn(text: string, secrets: Secrets): Set<Kind> {
  const found = new Set<Kind>();
  const { bySecondWord, others } = phrasesOf(secrets);
  const lookFor = (phrases: readonly string[]) => {
    for (const phrase of phrases) if (text.includes(phrase)) found.add(secrets.get(phrase)!);
  };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const kind = secrets.get(word);
    // The decimals of a second are six digits too.
    if (kind && !(kind === 'code' && /\d\.$/.test(text.slice(0, index).slice(-2)))) found.add(kind);
    lookFor(bySecondWord.get(word.slice(0, BEGINNING)) ?? []);
  }
  lookFor(others);
  return found;
}
