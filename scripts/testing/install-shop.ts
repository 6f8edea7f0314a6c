import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf, readGuide } from '@fixpoint/testkit/guides.ts';
import type { ReleaseScene } from './release-scene.ts';

export const INSTALL = 'docs/operate/install.md';
const LIVE = 'docs/operate/going-live.md';

const linesOf = (page: string, title: string): string[] =>
  commandsOf(page).flatMap(({ section, line }) => (section.startsWith(title) ? [line] : []));
/** The file of answers of the page. */
const answers = /```ini\n([\s\S]*?)```/.exec(readGuide(INSTALL))![1]!;

type Phase = <T>(name: string, work: () => Promise<T>) => Promise<T>;
const untimed: Phase = (_, work) => work();

/** Runs commands as root in its home, where the release lies. */
export const follow = (machine: ReleaseScene['shop'], commands: readonly string[]): Promise<string> =>
  machine.run('sh', '-ec', `cd /root; ${commands.join('\n')}`);

/**
 * Installs the shop by docs/operate/install.md, with the sandbox as its providers. Debian's PostgreSQL is there already,
 * because no mirror is.
 * @returns what `fixpoint setup` and then `fixpoint doctor` have said, and the settings between them
 */
export async function installShop(scene: ReleaseScene, phase = untimed) {
  const { shop } = scene;
  const version = (await shop.run('sh', '-c', 'ls /usr/lib/postgresql | sort -n | tail -1')).trim();
  // The machine is a copy of this one, whose cluster has settings without data.
  await shop.run('rm', '-rf', `/etc/postgresql/${version}/main`, `/var/lib/postgresql/${version}/main`);
  await shop.run('pg_createcluster', '--port=5432', version, 'main', '--start');
  await scene.deliver();
  await phase('package', async () => {
    await follow(shop, linesOf(INSTALL, '1. Get the release'));
    await follow(shop, ['dpkg --install fixpoint_*.deb']);
  });
  // PayPal's messages do not matter here; the file of its authority lies outside this machine.
  const {
    PAYPAL_CERT_CA_FILE: _,
    PAYPAL_WEBHOOK_ID: __,
    STRIPE_WEBHOOK_SECRETS: ___,
    ...used
  } = scene.settings;
  const own = { ...used, SEED: 'demo', HUMAN_CHECK_COST: '1', LIMITS_SCALE: '1000' };
  const lines = Object.entries(own).map(([name, value]) => `${name}="${value}"\n`);
  await writeFile(join(shop.root, 'root/answers.env'), `${answers}${lines.join('')}`);
  const [, doctor = '', setup = ''] = linesOf(INSTALL, '3. Set it up');
  /** They end with 1 while something is left to do. */
  const incomplete = (command: string) => shop.run('sh', '-c', `cd /root; ${command}; [ $? = 1 ]`);
  const said = await phase('setup', () => incomplete(setup));
  const settings = await shop.run('cat', '/etc/fixpoint/fixpoint.env');
  return { said, settings, again: await phase('doctor', () => incomplete(doctor)) };
}

/** Adds the VPN host of docs/operate/going-live.md, with the agent's package. */
export async function addHost(scene: ReleaseScene): Promise<void> {
  const [add = '', ...lines] = linesOf(LIVE, '7. Add a VPN host');
  const printed = await follow(scene.shop, [
    add.replace('npm run shop --', 'fixpoint').replace('own-rack', 'demo'),
  ]);
  const token = printed.trim().split('\n').at(-1)!;
  const onHost = lines.filter(line => !line.startsWith('npm '));
  await follow(
    scene.host,
    onHost.map(line => line.replace('=TOKEN', `=${token}`)),
  );
}
