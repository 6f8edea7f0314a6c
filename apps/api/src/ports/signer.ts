/** Contexts that bind an encrypted value to its row, so that it is useless in another row. */
export const contextOf = {
  ca: (subscriptionId: string) => `subscription-ca:${subscriptionId}`,
  server: (subscriptionId: string) => `server-key:${subscriptionId}`,
  tlsCrypt: (subscriptionId: string) => `tls-crypt:${subscriptionId}`,
  hostCa: 'host-ca',
  agentTls: 'agent-tls',
};

/** An authority as stored: the certificate, and its key encrypted with the master key. */
export type SealedAuthority = { ca: string; caKeySealed: Buffer };

/**
 * The only component that decrypts authority keys (S74). It signs exactly three profiles: a
 * subscription's server, a customer's key, a VPN host.
 */
export type Signer = {
  /** Everything that a new subscription needs on its host. Private keys are encrypted. */
  newSubscription(input: { subscriptionId: string; serverName: string; now: Date }): Promise<{
    ca: string;
    caKeySealed: Buffer;
    serverCertificate: string;
    serverKeySealed: Buffer;
    serverNotAfter: Date;
    tlsCryptSealed: Buffer;
  }>;
  /** A new key and certificate for a subscription's server, under its existing authority. */
  renewServer(
    authority: SealedAuthority & { subscriptionId: string },
    input: { serverName: string; now: Date },
  ): Promise<{ serverCertificate: string; serverKeySealed: Buffer; serverNotAfter: Date }>;
  /**
   * A new key pair and certificate for a customer's key. The private key is only in the answer
   * (S73).
   */
  newClient(
    authority: SealedAuthority & { subscriptionId: string },
    input: { keyId: string; now: Date; notAfter: Date },
  ): Promise<{ certificate: string; privateKey: string; serial: string }>;
  /**
   * Decrypts the secrets that the subscription's host needs: its own key, and the one shared with
   * the files.
   */
  openServerKey(input: { subscriptionId: string; serverKeySealed: Buffer }): string;
  openTlsCrypt(input: { subscriptionId: string; tlsCryptSealed: Buffer }): string;
  /** The authority of all hosts, and the shop's own certificate for their listener. */
  newHostAuthority(now: Date): Promise<{
    ca: string;
    caKeySealed: Buffer;
    tlsCertificate: string;
    tlsKeySealed: Buffer;
  }>;
  /** A new certificate for the shop's listener for hosts. */
  renewAgentTls(
    authority: SealedAuthority,
    now: Date,
  ): Promise<{ tlsCertificate: string; tlsKeySealed: Buffer }>;
  openTlsKey(tlsKeySealed: Buffer): string;
  /** A host's client certificate; undefined for a signing request that cannot be read or verified. */
  newHost(
    authority: SealedAuthority,
    input: { hostId: string; csr: string; now: Date },
  ): Promise<string | undefined>;
};
