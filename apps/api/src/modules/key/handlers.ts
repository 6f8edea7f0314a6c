import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { forwardPort } from './forward-port.ts';
import { addKey, deleteKey, downloadKey, type KeyDeps } from './keys.ts';
import { fetchKey, linkKey } from './link-key.ts';

export function keyHandlers(deps: KeyDeps) {
  return {
    addKey: ({ body }, caller) => addKey(deps, caller, body),
    addKeyFor: ({ body: { userId: forUser, ...body } }, caller) => addKey(deps, caller, { ...body, forUser }),
    deleteKey: ({ body }, caller) => deleteKey(deps, caller, body.subscriptionId, body.keyId),
    downloadKey: ({ body }, caller) => downloadKey(deps, caller, body),
    forwardPort: ({ body }, { customerId }) => forwardPort(deps, customerId, body),
    linkKey: ({ body }, caller) => linkKey(deps, caller, body),
    fetchKey: (_, { linkToken }) => fetchKey(deps, linkToken),
  } satisfies Handlers<typeof subscriptionCalls>;
}
