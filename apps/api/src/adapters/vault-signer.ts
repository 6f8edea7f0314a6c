import { certificateEnd } from '@fixpoint/domain/key/key.ts';
import type { Vault } from '../crypto/vault.ts';
import { contextOf, type Signer } from '../ports/signer.ts';
import { createHostCa, createSubscriptionCa } from './pki/authority.ts';
import { issueClient, issueHost, issueServer, issueShopTls } from './pki/leaf.ts';
import { newTlsCrypt } from './pki/tls-crypt.ts';

/** Signer in this process, with its keys encrypted by the vault. */
export function createVaultSigner(vault: Vault): Signer {
  async function certifyServer(
    authority: { ca: string; caKey: string },
    input: { subscriptionId: string; serverName: string; now: Date },
  ) {
    // It is renewed long before.
    const serverNotAfter = certificateEnd(input.now);
    const { serverName, now } = input;
    const server = await issueServer({ ...authority, serverName, now, notAfter: serverNotAfter });
    return {
      serverCertificate: server.certificate,
      serverKeySealed: vault.seal(server.key, contextOf.server(input.subscriptionId)),
      serverNotAfter,
    };
  }

  async function certifyAgentTls(authority: { ca: string; caKey: string }, now: Date) {
    const tls = await issueShopTls({ ...authority, now });
    return { tlsCertificate: tls.certificate, tlsKeySealed: vault.seal(tls.key, contextOf.agentTls) };
  }

  return {
    async newSubscription({ subscriptionId, serverName, now }) {
      const { ca, caKey } = await createSubscriptionCa({ name: subscriptionId, now });
      return {
        ca,
        caKeySealed: vault.seal(caKey, contextOf.ca(subscriptionId)),
        ...(await certifyServer({ ca, caKey }, { subscriptionId, serverName, now })),
        tlsCryptSealed: vault.seal(newTlsCrypt(), contextOf.tlsCrypt(subscriptionId)),
      };
    },
    renewServer({ ca, caKeySealed, subscriptionId }, input) {
      const caKey = vault.open(caKeySealed, contextOf.ca(subscriptionId));
      return certifyServer({ ca, caKey }, { subscriptionId, ...input });
    },
    renewAgentTls({ ca, caKeySealed }, now) {
      return certifyAgentTls({ ca, caKey: vault.open(caKeySealed, contextOf.hostCa) }, now);
    },
    newClient({ ca, caKeySealed, subscriptionId }, { keyId, now, notAfter }) {
      const caKey = vault.open(caKeySealed, contextOf.ca(subscriptionId));
      return issueClient({ ca, caKey, commonName: keyId, now, notAfter });
    },
    openServerKey: ({ subscriptionId, serverKeySealed }) =>
      vault.open(serverKeySealed, contextOf.server(subscriptionId)),
    openTlsCrypt: ({ subscriptionId, tlsCryptSealed }) =>
      vault.open(tlsCryptSealed, contextOf.tlsCrypt(subscriptionId)),
    async newHostAuthority(now) {
      const { ca, caKey } = await createHostCa({ name: 'VPN hosts', now });
      return {
        ca,
        caKeySealed: vault.seal(caKey, contextOf.hostCa),
        ...(await certifyAgentTls({ ca, caKey }, now)),
      };
    },
    openTlsKey: sealed => vault.open(sealed, contextOf.agentTls),
    async newHost({ ca, caKeySealed }, { hostId, csr, now }) {
      const caKey = vault.open(caKeySealed, contextOf.hostCa);
      return (await issueHost({ ca, caKey, csr, hostId, now }))?.certificate;
    },
  };
}
