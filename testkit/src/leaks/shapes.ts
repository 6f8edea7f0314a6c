import { isIPv4, isIPv6 } from 'node:net';
import type { Kind, Secrets } from './secrets.ts';

/** Loopback and "any": where the shop itself and its parts listen. Every other address is somebody's. */
const isOwnAddress = (address: string): boolean =>
  /^(::ffff:)?(127\.\d+\.\d+\.\d+|0\.0\.0\.0)$/i.test(address) || /^::1?$/.test(address);

/** The check digit of card numbers (Luhn). */
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
  // What `newToken` makes: 32 random bytes.
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

/** Tokens and codes are looked up word by word; what has other signs in it is searched as it is. */
const isWord = (secret: string) => /^[\w-]+$/.test(secret);

/** What kinds of it a text holds. */
export function kindsIn(text: string, secrets: Secrets): Set<Kind> {
  const found = secretsIn(text, secrets);
  for (const { kind, looks, is } of shapes) {
    if (!found.has(kind) && (text.match(looks) ?? []).some(one => is?.(one) ?? true)) found.add(kind);
  }
  return found;
}

/** The same for bytes: in random ones only the very secrets are looked for, since any short shape occurs by chance. */
export function kindsInBytes(bytes: Buffer, secrets: Secrets): Set<Kind> {
  const text = bytes.toString('latin1');
  if (/^[\s\x20-\x7e]*$/.test(text)) return kindsIn(text, secrets);
  const found = secretsIn(text, secrets);
  const kind = secrets.get(bytes.toString('base64url')) ?? secrets.get(bytes.toString('hex'));
  return kind ? found.add(kind) : found;
}

function secretsIn(text: string, secrets: Secrets): Set<Kind> {
  const found = new Set<Kind>();
  for (const { 0: word, index } of text.matchAll(/(?<![\w-])[\w-]{6,}/g)) {
    const kind = secrets.get(word);
    // The parts of a second are six digits too.
    if (kind && !(kind === 'code' && /\d\.$/.test(text.slice(0, index).slice(-2)))) found.add(kind);
  }
  for (const [secret, kind] of secrets) if (!isWord(secret) && text.includes(secret)) found.add(kind);
  return found;
}
