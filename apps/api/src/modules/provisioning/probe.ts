import { PROBE, type Probe } from '@fixpoint/contract/agent.ts';
import type { SealedAuthority, Signer } from '../../ports/signer.ts';

/** So long a probe's certificate holds: a host that is away gets another one with its next set. */
const HOLDS_MS = 24 * 60 * 60_000;
/** Last octets of keys, as the contract has them. */
const OCTETS = Array.from({ length: 31 }, (_, n) => 32 - n);

/**
 * A throw-away key for the host of a subscription that has not been shown to work: made with the set that it is in, kept
 * nowhere, and refused when it is in the set no more.
 * @param keys the subscription's own
 * @returns undefined where these leave it no address
 */
export async function newProbe(
  signer: Signer,
  authority: SealedAuthority & { subscriptionId: string },
  keys: readonly { address: number }[],
  now: Date,
): Promise<Probe | undefined> {
  const address = OCTETS.find(octet => !keys.some(key => key.address === octet));
  if (!address) return undefined;
  const id = `${PROBE}${authority.subscriptionId}`;
  const notAfter = new Date(now.getTime() + HOLDS_MS);
  const { certificate, privateKey } = await signer.newClient(authority, { keyId: id, now, notAfter });
  return { id, address, certificate, key: privateKey };
}
