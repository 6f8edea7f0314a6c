import type { DeviceSeen } from '@fixpoint/contract/agent.ts';
import { isOnline } from '@fixpoint/domain/host/host.ts';
import { diagnose, runs } from '@fixpoint/domain/subscription/diagnosis.ts';
import type { CustomerCaller } from '../../kernel/caller.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { memberSubscription } from './member-view.ts';
import { subscriptionView, type ViewDeps } from './view.ts';

/** A subscription's host and the status that it last reported; undefined while there is none. */
const hostOf = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('assignment')
    .innerJoin('host', 'host.id', 'assignment.host_id')
    .select(['host.id', 'host.seen_at', 'assignment.status'])
    .where('assignment.subscription_id', '=', subscriptionId)
    .where('assignment.status', '!=', 'leaving')
    .executeTakeFirst();

/**
 * Asks the host of a subscription for the current state of its devices. The answer goes to the customer only and is stored
 * nowhere (K10). @returns undefined when the host did not answer in time
 */
export type AskHost = (
  hostId: string,
  question: { subscriptionId: string; restart: boolean },
) => Promise<readonly DeviceSeen[] | undefined>;

export type DiagnoseDeps = ViewDeps & { systemClock: Clock; askHost: AskHost };

/** What a diagnosis needs of a subscription. A member's is about their own devices, and says nothing of payments. */
async function viewFor(deps: ViewDeps, caller: CustomerCaller, id: string) {
  if (caller.role === 'member') {
    const view = await memberSubscription(deps, caller, id);
    return view && { ...view, owed: false };
  }
  const view = await subscriptionView(deps, caller, id);
  return view && { ...view, owed: view.openInvoice !== undefined };
}

/** Diagnoses why the VPN of a subscription does not work, as far as shop and host can know. */
export async function diagnoseSubscription(
  deps: DiagnoseDeps,
  caller: CustomerCaller,
  { id, deviceTime }: { id: string; deviceTime: string },
) {
  const view = await viewFor(deps, caller, id);
  if (!view) return refuse('subscriptionNotFound');
  const found = await hostOf(deps.db, id);
  const host = found && {
    heard: isOnline(found.seen_at, deps.clock.now()),
    since: found.seen_at ?? undefined,
    server: found.status as 'up' | 'failed' | 'desired',
  };
  const seen =
    runs(view) && host?.heard && host.server === 'up'
      ? await deps.askHost(found!.id, { subscriptionId: id, restart: false })
      : undefined;
  // A host answers after it has applied what was new, so keys may be set up by now.
  const late = seen && view.keys.some(key => key.settingUp) ? await viewFor(deps, caller, id) : view;
  const shown = late ?? view;
  const own = new Set(shown.keys.map(key => key.id));
  // Nobody knows whose a connection without a device is.
  const isVisible = ({ keyId }: DeviceSeen) => caller.role !== 'member' || !keyId || own.has(keyId);
  const checks = diagnose({
    status: shown.status,
    owed: shown.owed,
    suspended: shown.suspended,
    places: shown.devices,
    keys: shown.keys.map(({ validUntil, ...key }) => ({
      ...key,
      validUntil: validUntil ? new Date(validUntil) : undefined,
    })),
    host,
    seen: seen?.filter(isVisible),
    // System time: devices check certificates by it.
    now: deps.systemClock.now(),
    deviceTime: new Date(deviceTime),
  });
  // Whether something is owed is not a member's business: “all good” would be a guess.
  return {
    checks: checks.filter(
      ({ check, verdict }) => caller.role !== 'member' || check !== 'paid' || verdict !== 'good',
    ),
  };
}

/** Restarts the OpenVPN process of a subscription. Refuses with 9903 when its host does not confirm that. */
export async function restartServer(deps: DiagnoseDeps, caller: CustomerCaller, id: string) {
  const view = await subscriptionView(deps, caller, id);
  if (!view) return refuse('subscriptionNotFound');
  const found = runs(view) && (await hostOf(deps.db, id));
  const seen = found && (await deps.askHost(found.id, { subscriptionId: id, restart: true }));
  return seen ? { restarted: true } : refuse('hostUnreachable');
}
