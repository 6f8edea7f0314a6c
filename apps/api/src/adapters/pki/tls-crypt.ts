import { randomBytes } from 'node:crypto';

/**
 * A new OpenVPN static key (tls-crypt v1), one for each subscription: without it a server does not answer at all.
 * 256 random bytes as lower-case hexadecimal, 32 characters a line.
 */
export function newTlsCrypt(): string {
  const lines = randomBytes(256).toString('hex').match(/.{32}/g)!;
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join(
    '\n',
  );
}
