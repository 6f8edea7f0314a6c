import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bootMachine, type Machine } from '@fixpoint/agent/testing/machine.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import {
  ADDRESSES,
  buildHost,
  buildInternet,
  ifIpv6,
  namespaceOf,
  removeRegion,
  spawnIn,
} from '@fixpoint/sandbox/internet/namespaces.ts';
import { buildRelease } from './build-release.ts';

const run = promisify(execFile);

/** A web server that nobody visits unless told. */
export const QUIET = { address: '192.0.2.30', address6: '2001:db8:0:1::30' };

/**
 * A release, and two machines of a region on which its packages are installed: the shop's is the internet's only server, the
 * other one is the VPN host. A visitor's program runs beside the shop.
 */
export async function openReleaseScene() {
  const id = `s${process.pid.toString(36)}`;
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-release-'));
  const { dist, fileOf } = await buildRelease(folder);
  await buildInternet(id);
  await buildHost(id);
  const www = namespaceOf(id, 'www');
  const shop = await bootMachine(www, join(folder, 'shop-disk'));
  const host = await bootMachine(namespaceOf(id, 'vpn'), join(folder, 'host-disk'));
  const pem = await publicCertificate(folder);
  const trust = async ({ root: disk }: Machine): Promise<void> => {
    await writeFile(join(disk, 'etc/hosts'), `127.0.0.1 localhost\n${ADDRESSES.internet} shop.example.com\n`);
    const authority = pem.slice(pem.indexOf('-----BEGIN CERT'));
    await appendFile(join(disk, 'etc/ssl/certs/ca-certificates.crt'), authority);
  };
  await trust(host);
  const addQuiet = ['-n', www, 'address', 'add', 'dev', 'eth0'];
  await run('ip', [...addQuiet, `${QUIET.address}/26`]);
  for (const address of ifIpv6(QUIET.address6)) await run('ip', [...addQuiet, `${address}/64`, 'nodad']);
  const start = (name: string, ...args: string[]) =>
    spawnIn(www, [process.execPath, name, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const echo = start(
    fileURLToPath(import.meta.resolve('@fixpoint/sandbox/internet/echo.ts')),
    ADDRESSES.internet,
    QUIET.address,
    ...ifIpv6(QUIET.address6),
  );
  await once(echo, 'message');
  await once(start(join(root, 'scripts/testing/public-front.ts'), ADDRESSES.internet, pem), 'message');
  const visitor = start(join(root, 'scripts/testing/visitor.ts'));
  const [settings] = (await once(visitor, 'message')) as [Record<string, string>];

  const postgres = async () =>
    (await shop.run('sh', '-c', 'ls /usr/lib/postgresql | sort -n | tail -1')).trim();
  const serverFile = () => fileOf(/^fixpoint_.*\.deb$/);
  return {
    region: { id },
    /** Its files, which go with it. */
    folder,
    shop,
    host,
    /** What the sandbox of the visitor wants of a shop. */
    settings,
    /** The package of the shop. */
    serverFile,
    /** Has the visitor do something. @returns what the visitor got */
    async ask<T>(what: object): Promise<T> {
      const answer = once(visitor, 'message');
      visitor.send(what);
      const [said] = (await answer) as [T & { error?: string }];
      if (said.error) throw new Error(said.error);
      return said;
    },
    /** Ends what the visitor does until told. */
    tell: (what: object) => void visitor.send(what),
    /** Has a machine find the shop by its public name, and trust its certificate. */
    trust,
    /** Debian's version of PostgreSQL. */
    postgres,
    /** Makes Debian's PostgreSQL one without data: the machine is a copy of this one, whose cluster has settings alone. It lacks large libraries, such as those of JIT. */
    async openPostgres(machine = shop): Promise<void> {
      const version = await postgres();
      const own = ['etc', 'var/lib'].map(path => `/${path}/postgresql/${version}/main`);
      await machine.run('rm', '-rf', ...own);
      await machine.run('chown', '--recursive', 'postgres:', '/var/lib/postgresql', '/etc/postgresql');
      await machine.run('pg_createcluster', '--port=5432', '--pgoption=jit=off', version, 'main', '--start');
    },
    /** Copies the release to the home of root of both machines. */
    async deliver(): Promise<void> {
      for (const machine of [shop, host])
        for (const file of await readdir(dist))
          await copyFile(join(dist, file), join(machine.root, 'root', file));
    },
    /** A release of a later version with one more migration, signed with a key. @returns its package, on the shop's machine */
    async laterRelease(version: string, name: string, sql: string, key: string): Promise<string> {
      const [tree, to] = [await mkdtemp(join(folder, 'tree-')), join('/root', `${version}-${key}`)];
      const outside = join(shop.root, to);
      const file = `fixpoint_${version}_amd64.deb`;
      await run('dpkg-deb', ['--raw-extract', await serverFile(), tree]);
      await run('sed', ['--in-place', `s/^Version: .*/Version: ${version}/`, join(tree, 'DEBIAN/control')]);
      await writeFile(join(tree, 'usr/lib/fixpoint/apps/api/migrations', name), sql);
      await mkdir(outside);
      await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, join(outside, file)]);
      const { stdout } = await run('sha256sum', [file], { cwd: outside });
      const sums = join(outside, 'SHA256SUMS');
      await writeFile(sums, stdout);
      await run('ssh-keygen', ['-Y', 'sign', '-f', join(folder, key), '-n', 'fixpoint-release', sums]);
      return join(to, file);
    },
    async close(): Promise<void> {
      visitor.kill();
      await host.off();
      await shop.off();
      await removeRegion(id);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Key and certificate of the shop's public name, which a machine may be told to trust. */
async function publicCertificate(folder: string): Promise<string> {
  const [key, certificate] = ['public.key', 'public.crt'].map(name => join(folder, name)) as [string, string];
  const names = 'subjectAltName=DNS:shop.example.com,DNS:pay.example.com';
  const request = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const what = ['-subj', '/CN=shop.example.com', '-addext', names, '-days', '30'];
  await run('openssl', [...request, ...what, '-keyout', key, '-out', certificate]);
  return `${await readFile(key, 'utf8')}${await readFile(certificate, 'utf8')}`;
}

export type ReleaseScene = Awaited<ReturnType<typeof openReleaseScene>>;
