import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '@fixpoint/dev-stack/child.ts';
import { basicEnv } from '@fixpoint/dev-stack/env.ts';

const run = promisify(execFile);

/** User and group of the shop in the image: a number that no machine gives away by itself. */
export const USER = 10_001;

/** Debian 12, as the package of the shop needs. */
const SUITE = 'bookworm';
/**
 * Major version of PostgreSQL that SUITE has a client of. pg_dump refuses a newer server, and no package can be added to a container:
 * compose.yaml runs a server of this one.
 */
export const POSTGRES = 15;
const client = `postgresql-client-${POSTGRES}`;
/** What the package depends on without systemd, and what backups use. */
const packages = ['ca-certificates', 'libstdc++6', 'openssh-client', client, 'age', 'rsync'];
/** How this machine reaches Debian's archive. */
const ofMachine = ['Check-Valid-Until', 'Check-Date', 'http::Proxy', 'https::Proxy'];

/** The user of the shop, its folder, and the file over which its settings are mounted: the root is read-only. */
const prepare = [
  `echo 'fixpoint:x:${USER}:${USER}::/var/lib/fixpoint:/usr/sbin/nologin' >> "$1/etc/passwd"`,
  `echo 'fixpoint:x:${USER}:' >> "$1/etc/group"`,
  `install -d -m 0700 -o ${USER} -g ${USER} "$1/var/lib/fixpoint"`,
  'install -d -m 0755 "$1/etc/fixpoint"',
  'install -m 0644 /dev/null "$1/etc/fixpoint/fixpoint.env"',
  // Nobody reads these in a container.
  'for name in doc info locale man; do rm -rf "$1/usr/share/$name"; done',
];

/**
 * Writes the file system of a small Debian as a tar file. The same packages of Debian give the same bytes.
 * @param epoch time of files that are newer, in seconds since 1970
 * @throws StartError with what mmdebstrap says
 */
export async function debianBase(file: string, architecture: string, epoch: number): Promise<void> {
  const { stdout } = await run('apt-config', ['dump', '--format', '%f "%v";%n']).catch(() => ({
    stdout: '',
  }));
  const reach = stdout
    .split('\n')
    .filter(line => ofMachine.some(name => line.startsWith(`Acquire::${name} `)));
  const options = [
    '--quiet',
    '--variant=essential',
    `--arch=${architecture}`,
    `--include=${packages.join(',')}`,
    ...[...reach, 'Acquire::Languages "none";'].map(line => `--aptopt=${line}`),
    `--customize-hook=${prepare.join('; ')}`,
  ];
  await run('mmdebstrap', [...options, SUITE, file], {
    env: { ...basicEnv(), SOURCE_DATE_EPOCH: String(epoch) },
    maxBuffer: 16 * 1024 * 1024,
  }).catch(({ code, stderr }: { code?: unknown; stderr?: string }) => {
    throw new StartError(
      code === 'ENOENT'
        ? 'The image needs mmdebstrap: apt-get install mmdebstrap. Without --image the packages are built alone.'
        : `mmdebstrap could not make the base of the image:\n${stderr?.trim().slice(-2000)}`,
    );
  });
}
