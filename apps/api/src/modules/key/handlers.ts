import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { forwardPort } from './forward-port.ts';
import { addKey, deleteKey, downloadKey, type KeyDeps } from './keys.ts';
import { fetchKey, linkKey } from './link-key.ts';

export function keyHandlers(deps: KeyDeps) {
  return {
    addKey: ({ body }, { userId, customerId, ownBrowser = false }) =>
      addKey(deps, { userId, customerId, ownBrowser }, body),
    deleteKey: ({ body }, { userId, customerId, ownBrowser = false }) =>
      deleteKey(deps, { userId, customerId, ownBrowser }, body.subscriptionId, body.keyId),
    downloadKey: ({ body }, { customerId }) => downloadKey(deps, customerId, body),
    forwardPort: ({ body }, { customerId }) => forwardPort(deps, customerId, body),
    linkKey: ({ body }, { customerId }) => linkKey(deps, customerId, body),
    fetchKey: (_, { linkToken }) => fetchKey(deps, linkToken),
  } satisfies Handlers<typeof subscriptionCalls>;
}
