import { randomBytes } from 'node:crypto';

/**
 * A new OpenVPN static key (tls-crypt v1), one per subscription; a server does not answer at all
 * without it. 256 random bytes in lower-case hexadecimal, 32 characters a line.
 */
export function newTlsCrypt(): string {
  const lines = randomBytes(256).toString('hex').match(/.{32}/g)!;
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join(
    '\n',
  );
}
