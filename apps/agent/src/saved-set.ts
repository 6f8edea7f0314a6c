import { desiredSet } from '@fixpoint/contract/agent.ts';
import { z } from 'zod';
import { moment } from './clock.ts';
import { tombstonesSchema } from './deletion-tombstones.ts';

/**
 * The last set with the fingerprint of its authority: a reinstalled shop restarts its revisions,
 * and its hosts must not wait for it to catch up. Plus the last contact with the shop (saved with
 * some delay) and the tombstones (`ended`).
 */
export const savedSet = z.object({
  authority: z.string(),
  heardAt: moment,
  set: desiredSet,
  ended: tombstonesSchema.optional(),
});

export type SavedSet = z.infer<typeof savedSet>;
