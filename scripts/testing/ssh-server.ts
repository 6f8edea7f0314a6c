import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine } from '@fixpoint/agent/testing/machine.ts';

const run = promisify(execFile);

/**
 * Downloads Debian's ssh server, because no network leads out of a region.
 * @param folder where its packages lie then: none if this machine has it
 * @throws Error when neither this machine nor its mirror has it
 */
export async function downloadSshServer(folder: string): Promise<void> {
  await mkdir(folder);
  const to = ['--option', `Dir::Cache::archives=${folder}`, '--option', 'Debug::NoLocking=true'];
  await run('apt-get', ['install', '--yes', '--download-only', ...to, 'openssh-server']);
}

/** Installs Debian's ssh server on a machine. @param folder the downloaded packages */
export async function installSshServer(machine: Machine, folder: string): Promise<void> {
  const packages = (await readdir(folder)).filter(name => name.endsWith('.deb'));
  for (const name of packages) await copyFile(join(folder, name), join(machine.root, 'var/cache', name));
  if (packages.length > 0) await machine.run('sh', '-c', 'dpkg --install /var/cache/*.deb');
  await machine.run('systemctl', 'enable', '--now', 'ssh');
}

/**
 * Lets root of one machine log in as root of another by `ssh root@ADDRESS`, as an operator does: with a key, and a host key that
 * is known.
 * @param folder the downloaded packages
 */
export async function openSsh(
  from: Machine,
  to: { machine: Machine; address: string },
  folder: string,
): Promise<void> {
  const { machine, address } = to;
  await installSshServer(machine, folder);
  await from.run(
    'sh',
    '-c',
    '[ -e /root/.ssh/id_ed25519 ] || ssh-keygen -q -t ed25519 -N "" -f /root/.ssh/id_ed25519',
  );
  const own = join(machine.root, 'root/.ssh');
  await mkdir(own, { recursive: true, mode: 0o700 });
  await copyFile(join(from.root, 'root/.ssh/id_ed25519.pub'), join(own, 'authorized_keys'));
  const key = await readFile(join(machine.root, 'etc/ssh/ssh_host_ed25519_key.pub'), 'utf8');
  await writeFile(join(from.root, 'root/.ssh/known_hosts'), `${address} ${key}`, { flag: 'a' });
}
