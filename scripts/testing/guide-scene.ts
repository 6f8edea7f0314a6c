import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bootMachine, type Machine } from '@fixpoint/agent/testing/machine.ts';
import { ADDRESSES, buildCustomer } from '@fixpoint/sandbox/internet/namespaces.ts';
import { openMirror } from './local-mirror.ts';
import { openReleaseScene } from './release-scene.ts';
import { downloadSshServer, installSshServer, openSsh } from './ssh-server.ts';
import type { Actor, Run } from './walk-guide.ts';

export type Bought = {
  customer: string;
  subscription: string;
  invoice: string;
  address: string;
  profiles: string[];
};

/** Where hosts without tunnels are added, so that nobody is sold to them. */
const ELSEWHERE = '--provider hetzner --region sg-sin --vendor fixpoint';

/** The token of an answer of `host add` or `host replace`. */
export function tokenIn(said: string): string {
  const [token] = /[\w-]+\.[\w-]{43}\.[0-9a-f]{64}/.exec(said) ?? [];
  if (!token) throw new Error(`There is no token in: ${said}`);
  return token;
}

/** The machines on which guides are walked, and what their readers have: customers, hosts, another release. */
export async function openGuideScene() {
  const scene = await openReleaseScene();
  const standIns = await openMirror(scene.shop, scene.folder);
  await openMirror(scene.host, scene.folder);
  for (const machine of [scene.shop, scene.host]) await scene.openPostgres(machine);
  await scene.deliver();
  const packages = join(scene.folder, 'ssh');
  const hasSsh = await downloadSshServer(packages).then(
    () => true,
    () => false,
  );
  let other: { machine: Machine; address: string } | undefined;
  /** A third machine, which nobody has installed anything on. */
  async function openOther() {
    if (other) return other;
    const { namespace, address } = await buildCustomer(scene.region.id);
    const machine = await bootMachine(namespace, join(scene.folder, 'other-disk'));
    await openMirror(machine, scene.folder);
    other = { machine, address };
    return other;
  }

  const as = { root: [], postgres: ['runuser', '-u', 'postgres', '--'] };
  const machines: Record<Actor, (script: string) => Promise<string>> = {
    'root of the shop': script => scene.shop.run('bash', '-c', `cd /root; ${script}`),
    'root of the host': script => scene.host.run('bash', '-c', `cd /root; ${script}`),
    'root of another machine': async script =>
      (await openOther()).machine.run('bash', '-c', `cd /root; ${script}`),
    'postgres of the shop': script => scene.shop.run(...as.postgres, 'bash', '-c', `cd /tmp; ${script}`),
    'postgres of the host': script => scene.host.run(...as.postgres, 'bash', '-c', `cd /tmp; ${script}`),
  };
  const run: Run = (by, script) => machines[by](`exec 2>&1; ${script}`);
  const onShop = machines['root of the shop'];
  let ranges = 0;

  return {
    ...scene,
    standIns,
    /** Whether machines can log in to each other. */
    hasSsh,
    run,
    onShop,
    onHost: machines['root of the host'],
    /** Changes the settings of the shop, which starts again with them. */
    async set(...settings: string[]): Promise<void> {
      const lines = settings.map(setting => `${setting}\n`).join('');
      await onShop(
        `cat >> /etc/fixpoint/fixpoint.env <<'END'\n${lines}END\nsystemctl restart fixpoint-api fixpoint-worker`,
      );
    },
    /** Buys a first subscription at the place of the host. */
    buyer: (email: string) => scene.ask<Bought>({ buy: email, providerId: 'own-rack' }),
    /** Adds a host without tunnels, which a guide may take away. */
    async spareHost(name: string): Promise<void> {
      ranges += 1;
      const said = await onShop(
        `fixpoint host add --host ${name} ${ELSEWHERE} --pool 198.51.100.${16 * ranges}/28`,
      );
      await scene.ask({ serve: tokenIn(said) });
    },
    /**
     * Makes the third machine a canary: root of the shop may log in to it, and to the host.
     * @returns its address
     */
    async openCanary(): Promise<string> {
      const canary = await openOther();
      await openSsh(scene.shop, { machine: scene.host, address: ADDRESSES.host }, packages);
      await openSsh(scene.shop, canary, packages);
      await scene.trust(scene.shop);
      return canary.address;
    },
    /** Has the third machine answer ssh. @returns its address */
    async openBackupServer(): Promise<string> {
      const { machine, address } = await openOther();
      await installSshServer(machine, packages);
      return address;
    },
    onOther: machines['root of another machine'],
    /** Writes a file in the home of root of the shop. */
    write: (name: string, text: string) => writeFile(join(scene.shop.root, 'root', name), text),
    async close(): Promise<void> {
      await other?.machine.off();
      await scene.close();
    },
  };
}

export type GuideScene = Awaited<ReturnType<typeof openGuideScene>>;
