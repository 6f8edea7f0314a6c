import { PROBE, type Probe } from '@fixpoint/contract/agent.ts';
import type { SealedAuthority, Signer } from '../../ports/signer.ts';

/**
 * Lifetime of a probe's certificate: longer than any clock of a host that still serves is wrong, or its delivery check
 * fails for no fault of its own. A host that was away longer gets another one with its next set.
 */
const HOLDS_MS = 14 * 24 * 60 * 60_000;
/** Last octets that keys may have (contract/agent.ts), highest first. */
const OCTETS = Array.from({ length: 31 }, (_, n) => 32 - n);

/**
 * Creates a temporary key for the delivery check of a new subscription. It is stored nowhere, and refused once the desired
 * set no longer contains it.
 * @param keys of the subscription
 * @returns undefined when they leave no free address
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
