import { type Authority, createSubscriptionCa } from '@fixpoint/api/adapters/pki/authority.ts';
import { latestNotAfter } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueClient, issueServer } from '@fixpoint/api/adapters/pki/leaf.ts';
import { newTlsCrypt } from '@fixpoint/api/adapters/pki/tls-crypt.ts';
import { type Profile, renderProfile } from '@fixpoint/api/modules/key/profile.ts';
import { type DesiredSubscription, PROBE } from '@fixpoint/contract/agent.ts';

export type Sold = { authority: Authority; desired: DesiredSubscription };

/** Creates a subscription with real certificates, as the shop does. */
export async function sell(
  input: Pick<DesiredSubscription, 'slot' | 'bindAddress'> & Partial<DesiredSubscription>,
): Promise<Sold> {
  const now = new Date();
  const id = `s_test${input.slot}`;
  const authority = await createSubscriptionCa({ name: id, now });
  const server = await issueServer({
    ...authority,
    serverName: `sub-${id}`,
    now,
    notAfter: latestNotAfter(now),
  });
  return {
    authority,
    desired: {
      id,
      publicAddress: input.bindAddress,
      port: 1194,
      rateMbit: 100,
      ca: authority.ca,
      serverCertificate: server.certificate,
      serverKey: server.key,
      tlsCrypt: newTlsCrypt(),
      keys: [],
      revoked: [],
      ...input,
    },
  };
}

/** The same with a probe, as the shop makes one for an unused subscription. */
export async function unproven({ authority, desired }: Sold): Promise<DesiredSubscription> {
  const now = new Date();
  const [id, notAfter] = [`${PROBE}${desired.id}`, new Date(now.getTime() + 86_400_000)];
  const client = await issueClient({ ...authority, commonName: id, now, notAfter });
  return {
    ...desired,
    probe: { id, address: 32, certificate: client.certificate, key: client.privateKey },
  };
}

/**
 * Creates one download of a key. @param keyId need not be one of the subscription's keys: refusals
 * are tested too. @param more the customer's choices, and the shop's time
 */
export async function download(
  { authority, desired }: Sold,
  keyId: string,
  device: Profile['device'] = null,
  { now = new Date(), ...chosen }: Pick<Profile, 'smallPackets' | 'blockWhenEnded'> & { now?: Date } = {},
): Promise<{ profile: string; serial: string }> {
  const client = await issueClient({ ...authority, commonName: keyId, now, notAfter: latestNotAfter(now) });
  const profile = renderProfile({
    remoteAddress: desired.publicAddress,
    port: desired.port,
    tcpPort: desired.tcpPort ?? null,
    serverName: `sub-${desired.id}`,
    ca: desired.ca,
    certificate: client.certificate,
    key: client.privateKey,
    tlsCrypt: desired.tlsCrypt,
    friendlyName: 'Test',
    device,
    ...chosen,
  });
  return { profile, serial: client.serial };
}
