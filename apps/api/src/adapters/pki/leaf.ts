import 'reflect-metadata';
import { SHOP_AGENT_NAME } from '@fixpoint/contract/agent.ts';
import * as x509 from '@peculiar/x509';
import {
  certificatePem,
  checkLeafValidity,
  daysAfter,
  decimalSerial,
  latestNotAfter,
  newKeyPair,
  newSerial,
  notBefore,
  privateKeyPem,
  SIGNATURE,
  signingKey,
} from './crypto.ts';

/** A host's certificate lives 30 days and is renewed by its agent (S78). */
const HOST_DAYS = 30;

type Issuer = {
  /** Certificate of the authority, PEM. */
  ca: string;
  /** Its private key, PKCS #8 PEM. */
  caKey: string;
};

type Leaf = {
  commonName: string;
  usage: x509.ExtendedKeyUsage;
  publicKey: x509.PublicKeyType;
  now: Date;
  notAfter: Date;
  dnsName?: string;
};

async function issueLeaf(issuer: Issuer, leaf: Leaf): Promise<{ certificate: string; serial: string }> {
  checkLeafValidity(leaf.now, leaf.notAfter);
  const authority = new x509.X509Certificate(issuer.ca);
  const serial = newSerial();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: [{ CN: [leaf.commonName] }],
    issuer: authority.subjectName,
    notBefore: notBefore(leaf.now),
    notAfter: leaf.notAfter,
    signingAlgorithm: SIGNATURE,
    publicKey: leaf.publicKey,
    signingKey: signingKey(issuer.caKey),
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([leaf.usage]),
      await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      ...(leaf.dnsName
        ? [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: leaf.dnsName }])]
        : []),
    ],
  });
  return { certificate: certificatePem(certificate), serial: decimalSerial(serial) };
}

/**
 * The server side of one subscription: goes to the VPN host, so it must be replaced before `notAfter`.
 * @param input.serverName common name that profiles check with `verify-x509-name`
 * @throws RangeError when it would live longer than 398 days
 */
export async function issueServer(
  input: Issuer & { serverName: string; now: Date; notAfter: Date },
): Promise<{ certificate: string; key: string }> {
  const keys = await newKeyPair();
  const { certificate } = await issueLeaf(input, {
    commonName: input.serverName,
    usage: x509.ExtendedKeyUsage.serverAuth,
    publicKey: keys.publicKey,
    now: input.now,
    notAfter: input.notAfter,
  });
  return { certificate, key: privateKeyPem(keys.privateKey) };
}

/**
 * One download of a key: a new key pair and certificate under the key's own common name. The private key goes into
 * the customer's file and is kept nowhere (S73).
 * @param input.commonName the key's id
 * @returns `serial` in decimal, the form in which it is revoked
 * @throws RangeError when it would live longer than 398 days
 */
export async function issueClient(
  input: Issuer & { commonName: string; now: Date; notAfter: Date },
): Promise<{ certificate: string; privateKey: string; serial: string }> {
  const keys = await newKeyPair();
  const issued = await issueLeaf(input, {
    commonName: input.commonName,
    usage: x509.ExtendedKeyUsage.clientAuth,
    publicKey: keys.publicKey,
    now: input.now,
    notAfter: input.notAfter,
  });
  return { ...issued, privateKey: privateKeyPem(keys.privateKey) };
}

/**
 * A VPN host's own certificate (mTLS client) for the key in its signing request. Only the public key is taken from
 * the request: name, usage and dates are ours.
 * @throws Error when the request is not signed by its own key or its key is not P-256
 */
export async function issueHost(
  input: Issuer & { csr: string; hostId: string; now: Date },
): Promise<{ certificate: string; serial: string; notAfter: Date }> {
  const request = new x509.Pkcs10CertificateRequest(input.csr);
  const { namedCurve } = request.publicKey.algorithm as { namedCurve?: string };
  if (namedCurve !== 'P-256' || !(await request.verify())) {
    throw new Error('the signing request is not valid');
  }
  const notAfter = daysAfter(input.now, HOST_DAYS);
  const issued = await issueLeaf(input, {
    commonName: input.hostId,
    usage: x509.ExtendedKeyUsage.clientAuth,
    publicKey: request.publicKey,
    now: input.now,
    notAfter,
  });
  return { ...issued, notAfter };
}

/**
 * The shop's TLS certificate for the listener that VPN hosts dial, issued by the host authority.
 * @returns `certificate` is the whole chain, the authority included: an agent that enrols finds the authority there
 *   and compares its fingerprint with the one in its token. Make a new one at every start; it lives 397 days.
 */
export async function issueShopTls(
  input: Issuer & { now: Date },
): Promise<{ certificate: string; key: string }> {
  const keys = await newKeyPair();
  const { certificate } = await issueLeaf(input, {
    commonName: SHOP_AGENT_NAME,
    usage: x509.ExtendedKeyUsage.serverAuth,
    publicKey: keys.publicKey,
    now: input.now,
    notAfter: latestNotAfter(input.now),
    dnsName: SHOP_AGENT_NAME,
  });
  return { certificate: certificate + input.ca, key: privateKeyPem(keys.privateKey) };
}
