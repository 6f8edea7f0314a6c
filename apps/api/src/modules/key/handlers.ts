import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../caller.ts';
import { addKey, deleteKey, downloadKey, type KeyDeps } from './keys.ts';

export function keyHandlers(deps: KeyDeps) {
  return {
    addKey: ({ body }, { customerId }) => addKey(deps, customerId, body.subscriptionId, body.name),
    deleteKey: ({ body }, { customerId }) => deleteKey(deps, customerId, body.subscriptionId, body.keyId),
    downloadKey: ({ body }, { customerId }) => downloadKey(deps, customerId, body),
  } satisfies Handlers<typeof subscriptionCalls>;
}
