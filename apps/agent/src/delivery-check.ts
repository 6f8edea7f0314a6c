import { setTimeout as sleep } from 'node:timers/promises';
import type { Check, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import pLimit from 'p-limit';
import { PROBE_LANES } from './layout.ts';
import { faultWord, type Log } from './log.ts';
import type { HostSet } from './plan.ts';
import type { Prober, TunnelState } from './ports/host.ts';

/** A failed check is repeated once before it is reported: a cold resolver may be slow. */
const TRIES = 2;
const TIMES_MS = { pause: 500, timeout: 30_000 };

/** Adds each probe to the set as a key with all that a key has. */
export const withProbes = (set: HostSet): HostSet => ({
  ...set,
  subscriptions: set.subscriptions.map(s =>
    s.probe ? { ...s, keys: [...s.keys, { id: s.probe.id, address: s.probe.address }] } : s,
  ),
});

type Unit = {
  subscription: DesiredSubscription;
  /** The check is finished, took too long, or is no longer requested. */
  ended: boolean;
  /** Failed checks; undefined while unknown. */
  unproven?: Check[];
};

export type DeliveryCheck = {
  /** Checks these subscriptions from now on, where they have a probe. */
  track(subscriptions: readonly DesiredSubscription[]): void;
  /** Returns the state of a subscription whose server runs. */
  state(s: DesiredSubscription): TunnelState;
};

/**
 * Delivery check: the health check of a new tunnel, from inside it. Checks a few concurrently. A check that takes too long is
 * reported as up, so that no buyer waits.
 * @param changed called when a check has finished
 */
export function createDeliveryCheck(
  probe: Prober,
  log: Log,
  changed: () => void,
  timesMs = TIMES_MS,
): DeliveryCheck {
  const units = new Map<string, Unit>();
  const atOnce = pLimit(PROBE_LANES);
  const lanes = Array.from({ length: PROBE_LANES }, (_, n) => n + 1);

  async function look(s: DesiredSubscription): Promise<Check[]> {
    const lane = lanes.pop()!;
    try {
      return await probe(s, lane);
    } catch (error) {
      log('probeBroken', { fault: faultWord(error) });
      return ['probe'];
    } finally {
      lanes.push(lane);
    }
  }

  async function tried(unit: Unit): Promise<Check[] | undefined> {
    let failed: Check[] | undefined;
    for (let tries = 0; tries < TRIES && !unit.ended && failed?.length !== 0; tries++) {
      if (failed) await sleep(timesMs.pause, undefined, { ref: false });
      failed = await look(unit.subscription);
    }
    return failed;
  }

  async function prove(unit: Unit): Promise<void> {
    const late = sleep(timesMs.timeout, undefined, { ref: false });
    const unproven = await Promise.race([atOnce(() => tried(unit)), late]);
    if (unit.ended) return;
    unit.ended = true;
    if (unproven) unit.unproven = unproven;
    if (unproven?.length !== 0) log('notProven', { checks: unproven?.join() ?? 'late' });
    changed();
  }

  const sameEndpoint = (a: DesiredSubscription, b: DesiredSubscription) =>
    a.slot === b.slot && a.bindAddress === b.bindAddress && a.prefix6 === b.prefix6;

  return {
    track(subscriptions) {
      const asked = new Map(subscriptions.flatMap(s => (s.probe ? [[s.id, s]] : [])));
      for (const [id, unit] of units) {
        const now = asked.get(id);
        if (now && sameEndpoint(now, unit.subscription)) {
          unit.subscription = now;
          continue;
        }
        unit.ended = true;
        units.delete(id);
      }
      for (const [id, subscription] of asked) {
        if (units.has(id)) continue;
        const unit: Unit = { subscription, ended: false };
        units.set(id, unit);
        void prove(unit);
      }
    },

    state({ id, probe: asked }) {
      const unit = asked && units.get(id);
      if (!asked) return { state: 'up' };
      if (!unit?.ended) return { state: 'checking' };
      return { state: 'up', ...(unit.unproven && { unproven: unit.unproven }) };
    },
  };
}
