import type { PublicConfig } from '@fixpoint/contract/config.ts';

/**
 * The shop's public address, for other devices: https, or any in a sandbox. Never the address of
 * this page, which may be local to this computer.
 */
export function publicAddress({ SHOP_ORIGINS, SANDBOX_URL }: PublicConfig): string | undefined {
  const [address] = SHOP_ORIGINS;
  return address?.startsWith('https:') || SANDBOX_URL ? address : undefined;
}
