import type { PublicConfig } from '@fixpoint/contract/config.ts';

/**
 * The shop's own address, where another device can reach it and nobody reads along: https, or a shop that is tried here.
 * Never the one that its page was opened by: that may be a computer's own.
 */
export function publicAddress({ SHOP_ORIGINS, SANDBOX_URL }: PublicConfig): string | undefined {
  const [address] = SHOP_ORIGINS;
  return address?.startsWith('https:') || SANDBOX_URL ? address : undefined;
}
