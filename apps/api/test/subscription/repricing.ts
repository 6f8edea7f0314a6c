import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** The day in Bangkok, as the command takes it. */
export const dayOf = (at: Date): string => new Date(at.getTime() + 7 * 3_600_000).toISOString().slice(0, 10);

/** Runs `shop reprice` at the shop's time, and the jobs that follow. */
export async function repriceCommand(shop: TestShop, ...args: string[]) {
  // The command is a process of its own, which needs the shop clock's offset.
  const ahead_ms = shop.clock.now().getTime() - systemClock.now().getTime();
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();
  const output = await shopCommand(shop, 'reprice', ...args);
  await shop.sweep();
  return output;
}
