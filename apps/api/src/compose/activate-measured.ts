import { activate } from '../modules/subscription/index.ts';
import type { Parts } from './parts.ts';

/** Activates a subscription. The time from its purchase to its tunnel goes to `provisioned`, in seconds. */
export const activateMeasured =
  (parts: Parts, provisioned: (seconds: number) => void) =>
  async (subscriptionId: string): Promise<void> => {
    const waitedSince = await activate(parts, subscriptionId);
    if (waitedSince) provisioned((parts.clock.now().getTime() - waitedSince.getTime()) / 1000);
  };
