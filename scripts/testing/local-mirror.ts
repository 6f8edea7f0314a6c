import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine } from '@fixpoint/agent/testing/machine.ts';

const run = promisify(execFile);

/** Does nothing, as long as it is asked to. */
const UNIT = `[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/true
ExecReload=/bin/true
[Install]
WantedBy=multi-user.target
`;
/** Packages of Debian that guides install and that a machine of these tests cannot download, with the files that matter. */
const STAND_INS: Record<string, Record<string, string>> = {
  caddy: {
    'etc/caddy/Caddyfile': ':80 {\n\troot * /usr/share/caddy\n}\n',
    'usr/lib/systemd/system/caddy.service': UNIT,
  },
  nodejs: {},
  rsync: {},
  sudo: {},
};

/**
 * Gives a machine a mirror of its own, because no network leads out of a region. Packages that it does not have are stand-ins.
 * @returns the names of the stand-ins
 */
export async function openMirror(machine: Machine, folder: string): Promise<string[]> {
  const mirror = join(machine.root, 'var/mirror');
  await mkdir(mirror);
  const names: string[] = [];
  for (const [name, files] of Object.entries(STAND_INS)) {
    const has = await machine.run('sh', '-c', `dpkg-query --show ${name} 2> /dev/null || :`);
    if (has.trim().includes('\t')) continue;
    const tree = await mkdtemp(join(folder, 'stand-in-'));
    const control = `Package: ${name}\nVersion: 0\nArchitecture: all\nMaintainer: test\nDescription: stand-in\n`;
    for (const [path, text] of Object.entries({ ...files, 'DEBIAN/control': control })) {
      await mkdir(join(tree, dirname(path)), { recursive: true });
      await writeFile(join(tree, path), text);
    }
    await run('dpkg-deb', ['--root-owner-group', '--build', tree, join(mirror, `${name}.deb`)]);
    names.push(name);
  }
  let index = '';
  for (const file of await readdir(mirror)) {
    const path = join(mirror, file);
    const { stdout: fields } = await run('dpkg-deb', ['--field', path]);
    const { stdout: sum } = await run('sha256sum', [path]);
    index += `${fields}Filename: ./${file}\nSize: ${(await stat(path)).size}\nSHA256: ${sum.split(' ')[0]}\n\n`;
  }
  await writeFile(join(mirror, 'Packages'), index);
  await machine.run('sh', '-c', 'rm -rf /etc/apt/sources.list.d/*');
  await writeFile(join(machine.root, 'etc/apt/sources.list'), 'deb [trusted=yes] file:/var/mirror ./\n');
  return names;
}
