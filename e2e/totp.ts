import { createHmac } from 'node:crypto';

const STEP_S = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Code of an authenticator app (RFC 6238, SHA-1, 6 digits).
 * @param steps 1 for the code after the present one, because each code works once
 */
export function appCode(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_S) + steps));
  const mac = createHmac('sha1', base32(secret)).update(counter).digest();
  const offset = mac[19]! & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function base32(text: string): Buffer {
  const bits = [...text.replace(/\s/g, '')].map(message =>
    BASE32.indexOf(message).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map(byte => Number.parseInt(byte, 2)));
}
