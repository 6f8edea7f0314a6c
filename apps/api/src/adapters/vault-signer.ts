import type { Signer } from '../ports/signer.ts';
import type { Vault } from '../secrets.ts';
import { createHostCa, createSubscriptionCa } from './pki/authority.ts';
import { issueClient, issueHost, issueServer, issueShopTls } from './pki/leaf.ts';
import { newTlsCrypt } from './pki/tls-crypt.ts';

/** The server certificate of a subscription is renewed by the shop long before; it only bounds a forgotten host. */
const SERVER_DAYS = 397;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Names what a sealed value belongs to, so that one row's secret is useless in another row. */
const contextOf = {
  ca: (subscriptionId: string) => `subscription-ca:${subscriptionId}`,
  server: (subscriptionId: string) => `server-key:${subscriptionId}`,
  tlsCrypt: (subscriptionId: string) => `tls-crypt:${subscriptionId}`,
  hostCa: 'host-ca',
  agentTls: 'agent-tls',
};

/** Signer in this process, its keys sealed by the vault. */
export function createVaultSigner(vault: Vault): Signer {
  return {
    async newSubscription({ subscriptionId, serverName, now }) {
      const { ca, caKey } = await createSubscriptionCa({ name: subscriptionId, now });
      const notAfter = new Date(now.getTime() + SERVER_DAYS * DAY_MS);
      const server = await issueServer({ ca, caKey, serverName, now, notAfter });
      return {
        ca,
        caKeySealed: vault.seal(caKey, contextOf.ca(subscriptionId)),
        serverCertificate: server.certificate,
        serverKeySealed: vault.seal(server.key, contextOf.server(subscriptionId)),
        tlsCryptSealed: vault.seal(newTlsCrypt(), contextOf.tlsCrypt(subscriptionId)),
      };
    },
    newClient({ ca, caKeySealed, subscriptionId }, { keyId, now, notAfter }) {
      const caKey = vault.open(caKeySealed, contextOf.ca(subscriptionId));
      return issueClient({ ca, caKey, commonName: keyId, now, notAfter });
    },
    openServer({ subscriptionId, serverKeySealed, tlsCryptSealed }) {
      return {
        serverKey: vault.open(serverKeySealed, contextOf.server(subscriptionId)),
        tlsCrypt: vault.open(tlsCryptSealed, contextOf.tlsCrypt(subscriptionId)),
      };
    },
    async newHostAuthority(now) {
      const { ca, caKey } = await createHostCa({ name: 'VPN hosts', now });
      const tls = await issueShopTls({ ca, caKey, now });
      return {
        ca,
        caKeySealed: vault.seal(caKey, contextOf.hostCa),
        tlsCertificate: tls.certificate,
        tlsKeySealed: vault.seal(tls.key, contextOf.agentTls),
      };
    },
    openTlsKey: sealed => vault.open(sealed, contextOf.agentTls),
    async newHost({ ca, caKeySealed }, { hostId, csr, now }) {
      const caKey = vault.open(caKeySealed, contextOf.hostCa);
      return (await issueHost({ ca, caKey, csr, hostId, now })).certificate;
    },
  };
}
