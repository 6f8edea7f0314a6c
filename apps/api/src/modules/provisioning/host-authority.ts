import { createHash, X509Certificate } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { SealedAuthority, Signer } from '../../ports/signer.ts';

/** The certificate of the agent listener is renewed this long before it expires. */
const TLS_RENEW_BEFORE_MS = 180 * 24 * 60 * 60 * 1000;

export const certificateHash = (der: Buffer): Buffer => createHash('sha256').update(der).digest();

/** Authority of the hosts and certificate of their listener. Reload both at `renewAt`. */
export type HostAuthority = SealedAuthority & { tlsCertificate: string; tlsKeySealed: Buffer; renewAt: Date };

/** Returns the authority of all VPN hosts and the certificate of their listener. Creates or renews them when needed. */
export async function openHostAuthority(db: Db, signer: Signer, clock: Clock): Promise<HostAuthority> {
  const read = () => db.selectFrom('host_authority').selectAll().executeTakeFirst();
  let row = await read();
  if (!row) {
    const made = await signer.newHostAuthority(clock.now());
    await db
      .insertInto('host_authority')
      .values({
        ca: made.ca,
        ca_key_sealed: made.caKeySealed,
        tls_certificate: made.tlsCertificate,
        tls_key_sealed: made.tlsKeySealed,
      })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    row = (await read())!;
  }
  const authority = { ca: row.ca, caKeySealed: row.ca_key_sealed };
  const { tls_certificate: tlsCertificate, tls_key_sealed: tlsKeySealed } = row;
  const renewAt = renewalOf(tlsCertificate);
  if (clock.now() < renewAt) return { ...authority, tlsCertificate, tlsKeySealed, renewAt };
  const renewed = await signer.renewAgentTls(authority, clock.now());
  await db
    .updateTable('host_authority')
    .set({ tls_certificate: renewed.tlsCertificate, tls_key_sealed: renewed.tlsKeySealed })
    .execute();
  return { ...authority, ...renewed, renewAt: renewalOf(renewed.tlsCertificate) };
}

const renewalOf = (certificate: string): Date =>
  new Date(new X509Certificate(certificate).validToDate.getTime() - TLS_RENEW_BEFORE_MS);

/** SHA-256 of a PEM certificate as hex. A host pins it at enrolment. */
export const pemFingerprint = (pem: string): string =>
  certificateHash(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')).toString('hex');
