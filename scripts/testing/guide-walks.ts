import { ADDRESSES } from '@fixpoint/sandbox/internet/namespaces.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type GuideScene, tokenIn } from './guide-scene.ts';
import { answersFile } from './install-shop.ts';
import { QUIET } from './release-scene.ts';
import type { Guide, Rule } from './walk-guide.ts';

const CHECKOUT =
  'sets up a checkout, from the registry of npm (scripts/going-live.server.soak.test.ts runs the commands of the shop in one)';
const BUILD =
  'builds, which no server of a shop does (scripts/vpn-host.tunnel.soak.test.ts installs what it builds)';
const PODMAN =
  'needs a registry of images for PostgreSQL and Caddy (scripts/container-image.server.soak.test.ts starts the image)';
const SSH = 'needs openssh-server, which this machine can neither find nor download';
const ENDLESS = 'follows for ever the log of a unit that only a checkout has';
const DEVELOPER = 'adds the example of a migration to a checkout';
const DEMO = 'is the trial from a checkout, whose stack the journeys run (e2e)';
const OWN_HOST = 'runs in scripts/vpn-host.tunnel.soak.test.ts, which reads it from this page';

const NEWER = 'Install a newer version';
const OF_CHECKOUT = '1. Install the shop';
const BACK_UP = '10. Back up';

/** It looks each minute; a busy machine has waited for it much longer. */
const COPIED_MS = 300_000;

/** The package that was installed first, which the server does not keep. */
const FIRST = `/root/fixpoint_${manifest.version}_amd64.deb`;

const ON_HOST: Rule = { by: 'root of the host' };
const ON_ANOTHER: Rule = { by: 'root of another machine' };
/** It exits with 1 while something is left to do, or open. */
const TELLS: Rule = { ends: [0, 1] };
/** There is none in this shop, because only a provider that fails makes one: the shop says so. */
const NONE: Rule = { ends: [1] };

/** The proof that no logs are kept: by ssh from the shop, on the canary, and verified by anybody. */
const PROOF: Record<string, Rule> = {
  'fixpoint no-logs': {},
  'NAME=': ON_ANOTHER,
  openvpn: ON_ANOTHER,
  until: ON_ANOTHER,
  // Nobody has the name.
  getent: { ...ON_ANOTHER, ends: [2] },
  'curl --max-time': ON_ANOTHER,
  exec: ON_ANOTHER,
  kill: ON_ANOTHER,
  'cat > canary.json': ON_ANOTHER,
  sleep: {},
  ssh: {},
  // The host trusts the shop's certificate.
  'curl -s': ON_HOST,
  jq: ON_HOST,
  openssl: ON_HOST,
};
/** The key that copies backups to another machine, and the user there. */
const COPIES: Record<string, Rule> = {
  'install --directory --owner=fixpoint --group': {},
  runuser: {},
  'ssh-keygen -l -f /var': {},
  'cat /var/lib/fixpoint/.ssh': {},
  'apt-get install --yes openssh-server': ON_ANOTHER,
  adduser: ON_ANOTHER,
  'install --directory --owner=fixpoint-backup': ON_ANOTHER,
  "echo 'restrict": ON_ANOTHER,
  chown: ON_ANOTHER,
  'ssh-keygen -l -f /etc/ssh': ON_ANOTHER,
  'echo BACKUP_COPY_TO': {},
  'systemctl restart': {},
};
const without = (rules: Record<string, Rule>, not: string): Record<string, Rule> =>
  Object.fromEntries(Object.keys(rules).map(line => [line, { not }]));

/**
 * Every guide, in the order in which an operator needs them, with what its text does not say: who runs a command, what its
 * placeholders stand for here, and why a command does not run here.
 * @param words placeholders and examples of the pages, and what they are here; walks add what they have made
 */
export function guideWalks(scene: () => GuideScene, words: Record<string, string>): Guide[] {
  const buy = async (email: string) => {
    const bought = await scene().buyer(email);
    Object.assign(words, {
      'anna@example.com': email,
      CUSTOMER: bought.customer,
      SUBSCRIPTION: bought.subscription,
      INVOICE: bought.invoice,
      '2026-000123': bought.invoice,
      '203.0.113.7': bought.address,
    });
  };
  const spare = async (names: Record<string, string>) => {
    for (const name of Object.values(names)) await scene().spareHost(name);
    return names;
  };
  const hearToken = (said: string) => {
    words.TOKEN = tokenIn(said);
  };

  const proof: Record<string, string> = {
    HOST: ADDRESSES.host,
    SERVER: QUIET.address,
    SERVER6: QUIET.address6,
    // Only these machines trust the shop's certificate, and Node.js is told so.
    'fixpoint no-logs': 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt fixpoint no-logs',
  };

  /** Words of the section that copies backups to another machine. */
  const copies: Record<string, string> = {};

  return [
    {
      page: 'docs/operate/install.md',
      without: [NEWER],
      rules: {
        // Nobody is at the terminal, so it says what it would ask.
        'fixpoint setup': { ends: [1] },
        'fixpoint doctor': TELLS,
        'fixpoint setup --answers': TELLS,
      },
      before: { '3. Set it up': () => scene().write('answers.env', answersFile(scene().settings)) },
    },
    {
      page: 'docs/operate/going-live.md',
      without: [OF_CHECKOUT, BACK_UP],
      rules: {
        'sudo -u': { not: CHECKOUT },
        'umask 077': { not: CHECKOUT },
        'systemctl enable --now fixpoint': { not: CHECKOUT },
        'journalctl -u fixpoint -f': { not: ENDLESS },
        'npm run build-agent': { not: BUILD },
        'fixpoint ready': TELLS,
        'apt-get install --yes ./fixpoint-agent': ON_HOST,
        'echo AGENT_': ON_HOST,
        'systemctl enable --now fixpoint-agent': ON_HOST,
        'fixpoint payments check': TELLS,
        'fixpoint alerts': TELLS,
        'fixpoint alerts test': {},
        'fixpoint host add': { words: { '203.0.113.0/24': `${ADDRESSES.pool}+${ADDRESSES.pool6}` } },
      },
      before: {
        '8. Make the first purchase': () => buy('first@example.com'),
        '9. Be told': () => scene().set('ALERT_EMAIL=ops@example.com'),
      },
      heard: { 'fixpoint host add': hearToken },
    },
    {
      page: 'docs/operate/going-live.md',
      only: [OF_CHECKOUT],
      rules: {
        'apt-get update': ON_ANOTHER,
        // The page leaves npm out on Debian 12.
        'apt-get install --yes sudo': { ...ON_ANOTHER, words: { npm: '' } },
        adduser: ON_ANOTHER,
        'git clone': { ...ON_ANOTHER, words: { 'YOUR-COPY-OF-THE-PROJECT': 'copy.git' } },
        'chown -R': ON_ANOTHER,
        'cd /opt': ON_ANOTHER,
        'sudo -u': { not: CHECKOUT },
      },
      before: { [OF_CHECKOUT]: () => scene().onOther('git init --quiet --bare copy.git') },
    },
    {
      page: 'docs/operate/no-logs.md',
      get rules() {
        return scene().hasSsh ? PROOF : without(PROOF, SSH);
      },
      before: {
        '': async () => {
          if (!scene().hasSsh) return;
          const { profiles } = await scene().buyer('canary@example.com');
          await scene().write('canary.ovpn', profiles[0]!);
          proof.CANARY = await scene().openCanary();
          const host = () => scene().onShop('fixpoint host show --host bkk-1');
          await until(async () => !/not applied/.test(await host()), 'the host to know the key');
          return proof;
        },
        'Run the steps by hand': async () => {
          if (!scene().hasSsh) return;
          await scene().onShop(`scp canary.ovpn root@${proof.CANARY}:`);
          return { ...proof, OWN_ADDRESS: proof.CANARY };
        },
      },
      heard: {
        'fixpoint no-logs': said => mustSay(said, 'Published: /no-logs.json'),
        'cat > canary.json': async () => {
          await scene().onShop(`scp root@${proof.CANARY}:canary.json .`);
        },
        openssl: said => mustSay(said, 'Verified Successfully'),
      },
    },
    {
      page: 'docs/operate/backup.md',
      get rules() {
        return scene().hasSsh ? COPIES : without(COPIES, SSH);
      },
      before: {
        '2. Set it up': async () => {
          const recipient = (await scene().onShop('age-keygen -y fixpoint-backup.key')).trim();
          await scene().set(`BACKUP_RECIPIENTS=${recipient}`, 'BACKUP_DIR=/var/lib/fixpoint/backups');
        },
        '3. Copy it to another machine': async () => {
          if (scene().hasSsh) copies['backup.example.com'] = await scene().openBackupServer();
          return copies;
        },
        '4. Verify it each week': async () => {
          if (scene().hasSsh) await scheduledCopy();
          await broughtHome();
        },
      },
      heard: {
        'ssh-keygen -l -f /var': said => {
          copies.FINGERPRINT = /SHA256:\S+/.exec(said)![0];
        },
        'cat /var/lib/fixpoint/.ssh': said => {
          copies['PUBLIC-KEY'] = said.trim();
        },
        'ssh-keygen -l -f /etc/ssh': said => mustSay(said, copies.FINGERPRINT!),
      },
    },
    // It leads to that page, which makes its settings.
    { page: 'docs/operate/going-live.md', only: [BACK_UP] },
    {
      page: 'docs/operate/alerts.md',
      rules: { 'fixpoint alerts': TELLS, 'fixpoint alerts test': {} },
    },
    { page: 'docs/operate/watching.md' },
    {
      page: 'docs/operate/payments.md',
      rules: {
        'fixpoint payments check': TELLS,
        'fixpoint books payouts': TELLS,
        'fixpoint books arrived': NONE,
        'fixpoint refund again': NONE,
        'fixpoint refund due': NONE,
        'fixpoint refund INVOICE --made': NONE,
        'fixpoint payments foreign': { ends: [0, 1], words: { PROVIDER: 'stripe', REF: 'pi_1' } },
        'fixpoint dispute evidence': NONE,
      },
      before: { 'Give a customer credit': () => buy('paul@example.com') },
    },
    {
      page: 'docs/operate/customers.md',
      rules: {
        'fixpoint block remove': {
          words: { ENTRY: '$(fixpoint block list | grep --only-matching "blk_[^ ]*" | head -1)' },
        },
        'fixpoint export month': { words: { '2026-11': '2026-10' } },
      },
      before: { 'Find a customer': () => buy('anna@example.com') },
    },
    { page: 'docs/operate/master-key.md' },
    {
      page: 'docs/operate/hosts.md',
      rules: {
        'fixpoint host drift': TELLS,
        'fixpoint host move': TELLS,
        'fixpoint alerts resolve': TELLS,
        'apt-get install': ON_HOST,
        journalctl: ON_HOST,
        'systemctl ': ON_HOST,
        'rm ': ON_HOST,
        'echo ': ON_HOST,
        'mkdir ': ON_HOST,
        'cat ': ON_HOST,
        'sed ': ON_HOST,
      },
      before: {
        'Switch a host off': () => spare({ 'bkk-1': 'off-1', 'bkk-2': 'off-2' }),
        'A host is lost': () => spare({ 'bkk-1': 'lost-1', 'bkk-2': 'lost-2' }),
        'A host cannot open its sealed state': () =>
          scene().onHost(
            'rm /etc/systemd/system/fixpoint-agent.service.d/diskless.conf; systemctl daemon-reload',
          ),
        'A host fell into other hands': () => spare({ 'bkk-1': 'stolen-1' }),
      },
      heard: {
        'fixpoint host replace': hearToken,
      },
    },
    {
      page: 'docs/operate/restoring.md',
      rules: {
        // Without ssh there is no key to bring back.
        'cp --archive': TELLS,
        'fixpoint doctor': TELLS,
        'fixpoint numbers given': { words: { '2026-000123': '2026-000123' } },
        'fixpoint host drift': TELLS,
        'fixpoint alerts': TELLS,
      },
      before: {
        '1. An empty machine': async () => {
          await scene().onShop('fixpoint backup');
          await broughtHome();
        },
        // As on a new server, where nothing leads to the shop.
        '5. The start': () => scene().onShop("echo ':80 { root * /usr/share/caddy }' > /etc/caddy/Caddyfile"),
      },
      heard: {
        'fixpoint doctor': async said => {
          mustSay(said, '/etc/caddy/Caddyfile leads to the shop.');
          mustSay(await scene().onShop('curl --silent http://127.0.0.1:8080/readyz'), '"ready":true');
        },
      },
    },
    {
      page: 'docs/operate/install.md',
      only: [NEWER],
      rules: {
        'fixpoint upgrade': TELLS,
        'fixpoint rollback --check': { words: { '--check': `--check ${FIRST}` } },
        'fixpoint rollback': { ends: [0, 1], words: { rollback: `rollback ${FIRST}` } },
      },
      before: {
        [NEWER]: async () => {
          const sql = '-- expand\ncreate table later ();\n';
          const file = await scene().laterRelease('0.9.1', '0998_later.sql', sql, 'key');
          return { 'fixpoint_*_amd64.deb': file };
        },
      },
      heard: {
        'fixpoint upgrade': said => mustSay(said, 'Fixpoint 0.9.1 runs.'),
        'fixpoint rollback': said => mustSay(said, manifest.version),
      },
    },
    {
      page: 'docs/operate/upgrade.md',
      rules: {
        'systemctl ': { not: CHECKOUT },
        'sudo -u': { not: CHECKOUT },
        'journalctl -u fixpoint -f': { not: ENDLESS },
        'fixpoint ready': TELLS,
        'fixpoint alerts': TELLS,
        // The package has made it.
        'runuser -u postgres': { ends: [1] },
        'npm run build-agent': { not: BUILD },
        'apt-get install': ON_HOST,
      },
    },
    {
      page: 'docs/operate/containers.md',
      rules: { podman: { not: PODMAN } },
      before: { '2. Settings and secrets': () => scene().write('fixpoint.env', '') },
    },
    {
      page: 'docs/operate/scaling.md',
      rules: {
        'psql ': { by: 'postgres of the shop' },
        'echo ': { by: 'postgres of the shop' },
        pg_: { by: 'postgres of the host' },
        'rm ': { by: 'postgres of the host' },
      },
      before: {
        'PostgreSQL with a standby': async () => ({
          15: await scene().postgres(),
          PRIMARY: ADDRESSES.internet,
          STANDBY: ADDRESSES.host,
          SECRET: 'secret',
        }),
      },
      heard: { 'psql --command="select application_name': said => mustSay(said, 'sync') },
    },
    {
      page: 'README.md',
      rules: {
        'npm start': { not: DEMO },
        'npm run demo': { not: DEMO },
        'npm run build-agent': { not: BUILD },
        'npm run shop': { not: OWN_HOST },
        'apt-get': { not: OWN_HOST },
        echo: { not: OWN_HOST },
        systemctl: { not: OWN_HOST },
      },
    },
    {
      page: 'docs/contribute/migrate.md',
      rules: { '(cd': { not: DEVELOPER }, 'npm run gen': { not: DEVELOPER } },
    },
  ];

  /** Waits until the worker has made a backup by itself and copied it, inside the sandbox of its unit. */
  async function scheduledCopy() {
    const worker = 'journalctl --unit=fixpoint-worker --output=cat --no-pager';
    // As if none had been made, so that one is due.
    await scene().run('postgres of the shop', 'psql --command="delete from backup" fixpoint');
    const isCopied = async () => {
      const made = /"file":"([^"]+)".*"backup made"/.exec(await scene().onShop(worker))?.[1];
      return made && (await scene().onOther('ls /home/fixpoint-backup/copies')).includes(made);
    };
    await until(isCopied, 'the worker to make a backup and to copy it', COPIED_MS).catch(async error => {
      throw new Error(`${(error as Error).message}\n${await scene().onShop(`${worker} --lines=20`)}`);
    });
  }

  async function broughtHome() {
    const file = (await scene().onShop('cd /var/lib/fixpoint/backups; ls -t *.age | head -1')).trim();
    await scene().onShop(`cp /var/lib/fixpoint/backups/${file} /var/lib/fixpoint/backups/*.json .`);
    words.FILE = file;
  }
}

const mustSay = (said: string, words: string): void => {
  if (!said.includes(words)) throw new Error(`It does not say ${words}:\n${said}`);
};
