import { openMasterKey } from '../../adapters/master-key/ring.ts';
import { liveBus } from '../../adapters/postgres-bus.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { createVaultSigner } from '../../adapters/vault-signer.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import { openAlertKinds } from '../../modules/alert/index.ts';
import {
  addHost,
  customersOnHost,
  drainHost,
  driftByHost,
  type HostDeps,
  hostDetails,
  hostList,
  lockOccupancy,
  planRetirement,
  readHostSettings,
  removePool,
  replaceHost,
  retireHost,
  setHost,
  type WrittenSettings,
} from '../../modules/provisioning/index.ts';
import { hostSetup, pastedLine } from '../host-setup/setup-script.ts';
import type { HandlersOf, Work } from './handler.ts';
import { moveHost, planMove } from './move-host.ts';

async function depsOf({ db, env }: Work): Promise<HostDeps> {
  const signer = createVaultSigner((await openMasterKey(db, env.MASTER_KEY_FILE)).vault);
  return { db, signer, clock: systemClock, live: liveBus };
}

/** The line that sets the machine of a token up. One without a disk seals its token first. */
async function lineOf({ env }: Work, token: string, diskless: boolean): Promise<{ install?: string }> {
  const setup = diskless ? undefined : await hostSetup(env.AGENT_PACKAGES_DIR);
  return setup ? { install: pastedLine(env, setup, token) } : {};
}

/** Commands for VPN hosts. Hosts live by the system clock. */
export const handlers: HandlersOf<'host'> = {
  async add(work, { input: { host, provider, region, vendor, diskless, ...written } }) {
    const place = { providerId: provider, regionId: region, vendorId: vendor };
    const settings = readHostSettings(host, written as WrittenSettings);
    const { token, addresses } = await addHost(await depsOf(work), place, host, settings, diskless);
    work.note({ subject: host, after: { place: Object.values(place).join(', '), addresses } });
    const { pools, port } = settings;
    return {
      host,
      addresses,
      port,
      token,
      ...(await lineOf(work, token, diskless)),
      place: Object.values(place).join(', '),
      pools: pools.map(({ prefix }) => prefix),
    };
  },

  async set(work, { input: { host, ...written } }) {
    if (Object.values(written).every(value => value === undefined))
      throw new InvalidInput('A setting is missing.');
    const settings = readHostSettings(host, written as WrittenSettings);
    const { addresses } = await setHost(await depsOf(work), host, settings);
    const { capacity = null, weight = null } = settings;
    work.note({ subject: host, after: { addresses, capacity, weight } });
    return { host, ...(settings.pools.length > 0 && { added: addresses }) };
  },

  async list({ db }, { input: { retired } }) {
    const all = await hostList(db, systemClock.now());
    const hosts = all.filter(({ state }) => retired || state !== 'retired');
    const alerts = await openAlertKinds(
      db,
      hosts.map(({ id }) => id),
    );
    return { hosts: hosts.map(host => ({ ...host, alerts: alerts.get(host.id) ?? [] })) };
  },

  async show({ db }, { input: { host } }) {
    const {
      seenAt,
      earlierMayServeUntil,
      mayServeUntil: _,
      ...details
    } = await hostDetails(db, systemClock.now(), host);
    return {
      ...details,
      seenAt: seenAt?.toISOString() ?? null,
      earlierMayServeUntil: earlierMayServeUntil?.toISOString() ?? null,
      alerts: (await openAlertKinds(db, [host])).get(host) ?? [],
      customers: await customersOnHost(db, host),
    };
  },

  async drift({ db }) {
    return { differing: (await driftByHost(db)).filter(({ lines }) => lines.length > 0) };
  },

  async drain({ db, note }, { input: { host, undo } }) {
    const stays = await drainHost({ db }, host, !undo);
    note({ subject: host, after: { draining: !undo } });
    return { host, ...stays };
  },

  move: { plan: planMove, execute: moveHost },

  async remove({ db, note }, { input: { host, pool } }) {
    const addresses = await removePool(db, host, pool);
    note({ subject: host, before: { addresses } });
    return { host, pool, addresses };
  },

  replace: {
    plan: async ({ db }, { input: { host } }) => ({ plan: { host, ...(await lockOccupancy(db, host)) } }),
    async execute(work, { input: { host, off, diskless } }) {
      const token = await replaceHost(await depsOf(work), host, { earlierIsOff: off, diskless });
      work.note({ subject: host, after: { off, diskless } });
      return { host, token, ...(await lineOf(work, token, diskless)) };
    },
  },

  retire: {
    plan: async ({ db }, { input: { host, evenWithCustomers } }) => ({
      plan: { host, ...(await planRetirement(db, host, evenWithCustomers)) },
    }),
    async execute({ db, note }, { input: { host, off, evenWithCustomers } }) {
      const deps = { db, clock: systemClock, live: liveBus };
      const stays = await retireHost(deps, host, { isOff: off, evenWithCustomers });
      note({ subject: host, before: { ...stays }, after: { off } });
      return { host, ...stays };
    },
  },
};
