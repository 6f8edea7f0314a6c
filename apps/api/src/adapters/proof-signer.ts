import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { deriveKey } from '../crypto/secrets.ts';

/** PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs public statements of the shop with an Ed25519 key derived from the root key. */
export function createProofSigner(root: Buffer) {
  const seed = deriveKey(root, 'proofs of no logs');
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    /** PEM. */
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    /** @returns base64 */
    sign: (text: string): string => sign(null, Buffer.from(text), key).toString('base64'),
  };
}
