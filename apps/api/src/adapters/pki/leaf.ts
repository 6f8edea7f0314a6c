import 'reflect-metadata';
import { SHOP_AGENT_NAME } from '@fixpoint/contract/agent.ts';
import {
  type Extension,
  Pkcs10CertificateRequest,
  type PublicKey,
  type PublicKeyType,
  X509Certificate,
} from '@peculiar/x509';
import { CLIENT, namedDns, SERVER, signedCertificate } from './certificate.ts';
import {
  checkLeafValidity,
  daysAfter,
  decimalSerial,
  latestNotAfter,
  newKeyPair,
  privateKeyPem,
  readPrivateKey,
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
  extensions: readonly Extension[];
  publicKey: PublicKeyType;
  now: Date;
  notAfter: Date;
};

async function issueLeaf(issuer: Issuer, leaf: Leaf): Promise<{ certificate: string; serial: string }> {
  checkLeafValidity(leaf.now, leaf.notAfter);
  const { subjectName: name, publicKey } = new X509Certificate(issuer.ca);
  const issued = await signedCertificate(
    { ...leaf, authority: { name, publicKey } },
    readPrivateKey(issuer.caKey),
  );
  return { certificate: issued.certificate, serial: decimalSerial(issued.serial) };
}

/**
 * Issues the server certificate of one subscription. Its key goes to the VPN host, so it must be
 * replaced before `notAfter`.
 * @param input.serverName common name that files verify with `verify-x509-name`
 * @throws RangeError if it would live longer than 398 days
 */
export async function issueServer(
  input: Issuer & { serverName: string; now: Date; notAfter: Date },
): Promise<{ certificate: string; key: string }> {
  const keys = await newKeyPair();
  const { certificate } = await issueLeaf(input, {
    commonName: input.serverName,
    extensions: SERVER,
    publicKey: keys.publicKey,
    now: input.now,
    notAfter: input.notAfter,
  });
  return { certificate, key: privateKeyPem(keys.privateKey) };
}

/**
 * Issues a new key pair and certificate for each download of a file, under the key's own common
 * name. The private key goes into the file and is not stored (S73).
 * @param input.commonName the key's id
 * @returns `serial` in decimal, the form in which it is revoked
 * @throws RangeError if it would live longer than 398 days
 */
export async function issueClient(
  input: Issuer & { commonName: string; now: Date; notAfter: Date },
): Promise<{ certificate: string; privateKey: string; serial: string }> {
  const keys = await newKeyPair();
  const issued = await issueLeaf(input, {
    commonName: input.commonName,
    extensions: CLIENT,
    publicKey: keys.publicKey,
    now: input.now,
    notAfter: input.notAfter,
  });
  return { ...issued, privateKey: privateKeyPem(keys.privateKey) };
}

/** The public key of a signing request, which a stranger may have made up. */
async function keyOfRequest(csr: string): Promise<PublicKey | undefined> {
  try {
    const request = new Pkcs10CertificateRequest(csr);
    const { namedCurve } = request.publicKey.algorithm as { namedCurve?: string };
    return namedCurve === 'P-256' && (await request.verify()) ? request.publicKey : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Issues a VPN host's client certificate for mTLS. Only the public key is taken from the signing
 * request; name, usage and dates are ours.
 * @returns undefined if the request cannot be read, is not signed by its own key, or its key is not P-256
 */
export async function issueHost(
  input: Issuer & { csr: string; hostId: string; now: Date },
): Promise<{ certificate: string; serial: string; notAfter: Date } | undefined> {
  const publicKey = await keyOfRequest(input.csr);
  if (!publicKey) return undefined;
  const notAfter = daysAfter(input.now, HOST_DAYS);
  const issued = await issueLeaf(input, {
    commonName: input.hostId,
    extensions: CLIENT,
    publicKey,
    now: input.now,
    notAfter,
  });
  return { ...issued, notAfter };
}

/**
 * Issues the shop's TLS certificate for the listener of VPN hosts, valid as long as every leaf.
 * @returns `certificate` is the whole chain: an enrolling agent compares the authority's
 *   fingerprint with the one in its token
 */
export async function issueShopTls(
  input: Issuer & { now: Date },
): Promise<{ certificate: string; key: string }> {
  const keys = await newKeyPair();
  const { certificate } = await issueLeaf(input, {
    commonName: SHOP_AGENT_NAME,
    extensions: [...SERVER, namedDns(SHOP_AGENT_NAME)],
    publicKey: keys.publicKey,
    now: input.now,
    notAfter: latestNotAfter(input.now),
  });
  return { certificate: certificate + input.ca, key: privateKeyPem(keys.privateKey) };
}
