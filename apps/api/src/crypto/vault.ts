import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets at rest with AES-256-GCM. `context` (its row) is authenticated, so values cannot
 * be swapped.
 */
export type Vault = {
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /**
   * Re-encrypts a value of another key; undefined if it uses the current one. @throws if no key
   * decrypts it
   */
  reEncrypt: ReEncrypt;
};
export type ReEncrypt = (sealed: Buffer, context: string) => Buffer | undefined;

/** Master keys of 32 bytes each. */
export type Keyring = {
  /** The key that encrypts. */
  present(): Buffer;
  /** Further keys for decryption during a change of the master key. */
  others(): readonly Buffer[];
  /** Reads the key file again. */
  reload(): void;
};

/** A keyring with one constant key. */
export const singleKeyring = (key: Buffer): Keyring => ({
  present: () => key,
  others: () => [],
  reload() {},
});

export function createVault(ring: Keyring): Vault {
  const opened = (sealed: Buffer, context: string): string | undefined => {
    for (const key of ring.others()) {
      try {
        return openWith(key, sealed, context);
      } catch {
        // Encrypted by another key.
      }
    }
    return undefined;
  };
  /** @throws the error of the current key if no key decrypts the value */
  function open(sealed: Buffer, context: string): string {
    try {
      return openWith(ring.present(), sealed, context);
    } catch {
      const plain = opened(sealed, context);
      if (plain !== undefined) return plain;
    }
    ring.reload();
    return opened(sealed, context) ?? openWith(ring.present(), sealed, context);
  }
  const seal = (plain: string, context: string) => sealWith(ring.present(), plain, context);
  return {
    seal,
    open,
    reEncrypt(sealed, context) {
      try {
        openWith(ring.present(), sealed, context);
        return undefined;
      } catch {
        return seal(open(sealed, context), context);
      }
    },
  };
}

function sealWith(key: Buffer, plain: string, context: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function openWith(key: Buffer, sealed: Buffer, context: string): string {
  // The length is stated, or the tag of a cut value would be compared over as little as 4 bytes.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
