import { createHash, X509Certificate } from 'node:crypto';
import { BlockList, isIPv4 } from 'node:net';
import { NOT_INTERNET } from '@fixpoint/contract/agent.ts';
import { sql } from 'kysely';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { SealedAuthority, Signer } from '../../ports/signer.ts';
import { newToken, tokenHash } from '../../secrets.ts';
import { changeHost } from './host-change.ts';
import type { Place } from './place.ts';
import { addPool } from './pools.ts';

/** The listener's certificate is renewed at a start within this time of its end: a node restarts far more often. */
const TLS_RENEW_BEFORE_MS = 180 * 24 * 60 * 60 * 1000;
const ENROL_MS = 15 * 60 * 1000;

export const certificateHash = (der: Buffer): Buffer => createHash('sha256').update(der).digest();

/** The authority of all VPN hosts and the certificate of the listener that they talk to; made once. */
export async function openHostAuthority(
  db: Db,
  signer: Signer,
  clock: Clock,
): Promise<SealedAuthority & { tlsCertificate: string; tlsKeySealed: Buffer }> {
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
  const ends = new X509Certificate(row.tls_certificate).validToDate.getTime();
  if (ends - clock.now().getTime() > TLS_RENEW_BEFORE_MS) {
    return { ...authority, tlsCertificate: row.tls_certificate, tlsKeySealed: row.tls_key_sealed };
  }
  const renewed = await signer.renewAgentTls(authority, clock.now());
  await db
    .updateTable('host_authority')
    .set({ tls_certificate: renewed.tlsCertificate, tls_key_sealed: renewed.tlsKeySealed })
    .execute();
  return { ...authority, ...renewed };
}

/** The shop's clock was moved: no host has been silent for that long. */
export const hostsKeepPace = (tx: Db, ms: number) =>
  tx
    .updateTable('host')
    .set({ seen_at: sql<Date>`seen_at + ${ms}::float8 * interval '1 ms'` })
    .where('seen_at', 'is not', null)
    .execute();

/** SHA-256 of a PEM certificate as hex: what a host pins at its first call. */
const pemFingerprint = (pem: string): string =>
  certificateHash(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')).toString('hex');

const placeOf = ({ providerId, regionId, vendorId }: Place): Place => ({ providerId, regionId, vendorId });

/** Quad9, for hosts of which nothing else is said. */
const RESOLVERS = ['9.9.9.9'];
const ID_RULE = /^[a-z0-9][a-z0-9-]{0,31}$/;

const notInternet = new BlockList();
for (const range of NOT_INTERNET) {
  const [network, length] = range.split('/');
  notInternet.addSubnet(network!, Number(length));
}

/** @throws Error that names every wrong value at once */
function checkHost({ id, dns }: { id: string; dns: readonly string[] }): void {
  const wrong: string[] = [];
  // It is a part of the token, of names and of paths.
  if (!ID_RULE.test(id))
    wrong.push(`${id} is no name of a host: a to z, 0 to 9 and -, 32 characters at most`);
  for (const address of dns) {
    if (!isIPv4(address)) wrong.push(`${address} is no IPv4 address of a resolver`);
    else if (notInternet.check(address))
      wrong.push(`${address} is a private address: customers cannot reach a resolver there`);
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}

/**
 * Names a VPN host with its address pool, and makes the one-time token that enrols it: 15 minutes, bound to this host
 * (S78). For a host that exists the token enrols it anew: its addresses stay, another range comes to them, and another
 * resolver is told to its customers.
 * @returns `<host id>.<secret>.<fingerprint of the host authority>`
 * @throws Error when a value is wrong, or the host stands in another place
 */
export async function newHostToken(
  deps: { db: Db; signer: Signer; clock: Clock; live: LiveBus },
  host: Place & { id: string; addressPool: string; dns?: string[] },
): Promise<string> {
  const { db, signer, clock, live } = deps;
  checkHost({ id: host.id, dns: host.dns ?? [] });
  const authority = await openHostAuthority(db, signer, clock);
  const secret = newToken();
  const enrolment = {
    enrol_hash: tokenHash(secret),
    enrol_expires_at: new Date(clock.now().getTime() + ENROL_MS),
  };
  await db.transaction().execute(async tx => {
    const known = await tx
      .selectFrom('host')
      .select(['provider_id', 'region_id', 'vendor_id', 'dns'])
      .where('id', '=', host.id)
      .forUpdate()
      .executeTakeFirst();
    const place = known && [known.provider_id, known.region_id, known.vendor_id].join(', ');
    if (place && place !== [host.providerId, host.regionId, host.vendorId].join(', '))
      throw new Error(`${host.id} stands in another place: ${place}`);
    const dns = host.dns ?? known?.dns ?? RESOLVERS;
    await tx
      .insertInto('host')
      .values({
        id: host.id,
        provider_id: host.providerId,
        region_id: host.regionId,
        vendor_id: host.vendorId,
        status: 'enrolling',
        dns,
        ...enrolment,
      })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ ...enrolment, dns }))
      .execute();
    if (known && known.dns.join() !== dns.join()) await changeHost(live, tx, host.id, null);
    await addPool(tx, { prefix: host.addressPool, hostId: host.id, ...placeOf(host) });
  });
  return `${host.id}.${secret}.${pemFingerprint(authority.ca)}`;
}

/** The places at which a host has enrolled, whether it answers now or not. */
export const placesWithHost = (db: Db): Promise<Place[]> =>
  db
    .selectFrom('host')
    .select(['provider_id as providerId', 'region_id as regionId', 'vendor_id as vendorId'])
    .distinct()
    .where('status', '=', 'active')
    .execute();
