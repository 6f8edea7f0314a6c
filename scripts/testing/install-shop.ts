import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf, readGuide } from '@fixpoint/testkit/guides.ts';
import { openMirror } from './local-mirror.ts';
import type { ReleaseScene } from './release-scene.ts';

export const INSTALL = 'docs/operate/install.md';
const LIVE = 'docs/operate/going-live.md';

const linesOf = (page: string, title: string): string[] =>
  commandsOf(page).flatMap(({ section, line }) => (section.startsWith(title) ? [line] : []));

/** The file of answers of the page, with the sandbox as the shop's providers. */
export function answersFile(settings: Record<string, string>): string {
  // PayPal's messages do not matter here; the file of its authority lies outside this machine.
  const { PAYPAL_CERT_CA_FILE: _, PAYPAL_WEBHOOK_ID: __, STRIPE_WEBHOOK_SECRETS: ___, ...used } = settings;
  const own = Object.entries({ ...used, HUMAN_CHECK_COST: '1', LIMITS_SCALE: '1000' });
  const answers = /```ini\n([\s\S]*?)```/.exec(readGuide(INSTALL))![1]!;
  return `${answers}${own.map(([name, value]) => `${name}="${value}"\n`).join('')}`;
}

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
  await scene.openPostgres();
  // The script of the host asks its mirrors first, and waits twenty seconds for a name server that is not there.
  await openMirror(scene.host, scene.folder);
  await scene.deliver();
  await phase('package', async () => {
    await follow(shop, linesOf(INSTALL, '1. Get the release'));
    await follow(shop, ['dpkg --install fixpoint_*.deb']);
  });
  await writeFile(join(shop.root, 'root/answers.env'), `${answersFile(scene.settings)}SEED=demo\n`);
  const [, doctor = '', setup = ''] = linesOf(INSTALL, '3. Set it up');
  /** They end with 1 while something is left to do. */
  const incomplete = (command: string) => shop.run('sh', '-c', `cd /root; ${command}; [ $? = 1 ]`);
  const said = await phase('setup', () => incomplete(setup));
  const settings = await shop.run('cat', '/etc/fixpoint/fixpoint.env');
  return { said, settings, again: await phase('doctor', () => incomplete(doctor)) };
}

/** The line that `host add` and `host replace` print to be pasted on a machine. */
const pastedLineIn = (said: string): string => /^.*\/apt-helper .*$/m.exec(said)![0].trim();

/** Adds the VPN host of docs/operate/going-live.md by the line that is pasted on its machine. @returns what it printed there */
export async function addHost(scene: ReleaseScene): Promise<string> {
  const [add = ''] = linesOf(LIVE, '7. Add a VPN host');
  await follow(scene.shop, linesOf(INSTALL, '4. Sell'));
  const said = await follow(scene.shop, [add.replace('own-rack', 'demo')]);
  return follow(scene.host, [pastedLineIn(said)]);
}
