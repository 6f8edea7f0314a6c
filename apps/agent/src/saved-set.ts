import { desiredSet } from '@fixpoint/contract/agent.ts';
import { z } from 'zod';
import { moment } from './clock.ts';
import { tombstonesSchema } from './tombstones.ts';

/**
 * The last set, and whose it is: the fingerprint of the authority that this host trusts. A shop that was set up again
 * counts its revisions from the start, and its hosts must not wait until it has caught up with the old one. And when the
 * shop was heard of last, or somewhat earlier: that is not written down each minute. And what has ended here.
 */
export const savedSet = z.object({
  authority: z.string(),
  heardAt: moment,
  set: desiredSet,
  ended: tombstonesSchema.optional(),
});

export type SavedSet = z.infer<typeof savedSet>;
