import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Length of a key. */
export const SEAL_KEY_BYTES = 32;
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Encrypts text with AES-256-GCM. */
export function createSeal(key: Buffer) {
  return {
    close(text: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    /** @throws Error for data that was not encrypted with this key */
    open(sealed: Buffer): string {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

export type Seal = ReturnType<typeof createSeal>;
