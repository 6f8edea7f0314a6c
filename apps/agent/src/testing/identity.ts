import { createHostCa } from '@fixpoint/api/adapters/pki/authority.ts';
import { issueShopTls } from '@fixpoint/api/adapters/pki/leaf.ts';
import type { Identity } from '../identity.ts';

/** An identity with a real certificate of 397 days; for tests that never connect. */
export async function newIdentity(hostId: string, now = new Date()): Promise<Identity> {
  const authority = await createHostCa({ name: 'hosts', now });
  const { certificate, key } = await issueShopTls({ ...authority, now });
  return { hostId, certificate, key, ca: authority.ca };
}
