import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import type { RecordedAction } from '@fixpoint/contract/recorded-actions.ts';
import type { Caller } from '../kernel/caller.ts';

/** A call that a user has done for a customer. */
export type Done = {
  userId: string;
  customerId: string;
  action: RecordedAction;
  subject?: string | undefined;
  about?: string | undefined;
};

/** Writes down what was done. Never fails: the change is made already. */
export type WriteDown = (done: Done) => Promise<void>;

/** Members of a body that name what a call is about. */
type About = {
  subscriptionId?: string;
  userId?: string;
  invoiceId?: string;
  id?: string;
  email?: string;
  name?: string | null;
  metadata?: string;
};

/** What is written down of a call, from its contract and body; undefined for calls that are not recorded. */
export function doneBy(
  { records }: Endpoint,
  action: string,
  { userId, customerId }: Caller,
  body: unknown,
): Done | undefined {
  if (records !== true || !userId || !customerId) return undefined;
  const about = (body ?? {}) as About;
  const ordered = about.metadata === undefined ? undefined : parseMetadata(about.metadata)?.subscriptionId;
  const changes = ordered !== undefined && action === 'purchaseLogin';
  return {
    userId,
    customerId,
    action: changes ? 'upgrade' : (action as RecordedAction),
    subject: ordered ?? about.subscriptionId ?? about.userId ?? about.invoiceId ?? about.id,
    about: about.email ?? about.name ?? undefined,
  };
}
