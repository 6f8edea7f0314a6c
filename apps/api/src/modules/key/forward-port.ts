import { decideForward, type Forward } from '@fixpoint/domain/key/forward.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { markDirty, serverOf } from '../provisioning/index.ts';
import { lockOwn, recordChange, refuseAction, stateOf } from '../subscription/index.ts';
import type { KeyDeps } from './keys.ts';

/** Forwards one port of the static IP to a device, or none. The host blocks all others. Disconnects nobody. */
export function forwardPort(
  deps: KeyDeps,
  customerId: string,
  { id, forward: wanted }: { id: string; forward: Forward | null },
): Promise<Refusal | Record<string, never>> {
  return deps.db.transaction().execute(async tx => {
    const subscription = await lockOwn(tx, customerId, id);
    if (!subscription) return refuse('subscriptionNotFound');
    const allowed = can(stateOf(subscription), 'forwardPort', deps.clock.now());
    if (!allowed.ok) return refuseAction(allowed.refusal);
    const keys = await tx
      .selectFrom('vpn_key')
      .select(['id', 'forwarded_port as port'])
      .where('subscription_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute();
    const led = keys.find(({ port }) => port !== null);
    const now = led ? { keyId: led.id, port: led.port! } : null;
    const server = await serverOf(tx, id);
    const vpnPorts = server ? [server.port, ...(server.tcpPort === null ? [] : [server.tcpPort])] : [];
    const decision = decideForward(
      now,
      wanted,
      keys.map(key => key.id),
      vpnPorts,
    );
    if (!decision.ok)
      return decision.refusal === 'portTaken'
        ? refuseFields({ 'forward.port': 'form.port.taken' })
        : refuse(decision.refusal);
    if (!decision.changed) return {};
    await closePort(tx, id);
    if (wanted)
      await tx
        .updateTable('vpn_key')
        .set({ forwarded_port: wanted.port })
        .where('id', '=', wanted.keyId)
        .execute();
    const command = wanted ? 'openPort' : 'closePort';
    await recordChange(deps, tx, subscription, command, {}, wanted ? { port: wanted.port } : {});
    await markDirty(deps, tx, id);
    return {};
  });
}

/** Closes the forwarded port of a subscription. The caller marks the subscription dirty. */
export const closePort = (tx: Db, subscriptionId: string) =>
  tx
    .updateTable('vpn_key')
    .set({ forwarded_port: null })
    .where('subscription_id', '=', subscriptionId)
    .where('forwarded_port', 'is not', null)
    .execute();
