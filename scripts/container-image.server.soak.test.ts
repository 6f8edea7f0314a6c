import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findPrograms } from '@fixpoint/api/adapters/backup/programs.ts';
import { schema } from '@fixpoint/api/env/schema.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import type { DatabaseUrls } from '@fixpoint/postgres/roles.ts';
import { startTemporary } from '@fixpoint/postgres/temporary.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createDatabase } from '@fixpoint/testkit/database.ts';
import { startTestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageImage } from './release/image.ts';
import { POSTGRES, USER } from './release/image-base.ts';
import { packageServer } from './release/server-package.ts';

/** Builds the OCI image of the shop and starts it with Debian's podman, where this kernel runs containers. */
const run = promisify(execFile);
const release = { version: '0.9.0', epoch: 1_790_000_000 };
let folder: string;
let deb: string;
let image: string;

/** Storage and state in the folder of this test, without the machine's own. */
const podman = (...args: string[]) => {
  const at = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'state')];
  return run('podman', [...at, '--storage-driver=vfs', '--cgroup-manager=cgroupfs', ...args]);
};
/** A container as compose.yaml starts it, in the network of this machine. */
const container = (runtime: string, ...args: string[]) => {
  const closed = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
  const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];
  return podman(`--runtime=${runtime}`, 'run', '--network=host', ...closed, ...limits, ...args);
};

/** Name of PostgreSQL's socket, which is in a folder that nobody else may enter, and at /tmp in a container. */
const SOCKET = '.s.PGSQL.5432';
function inContainer(url: string): string {
  const other = new URL(url);
  other.searchParams.set('host', '/tmp');
  return other.href;
}

type Service = {
  environment?: Record<string, string>;
  read_only?: boolean;
  healthcheck?: { test: string };
};
async function composeFile(): Promise<{ text: string; services: Record<string, Service> }> {
  const text = await readFile(join(root, 'ops/container/compose.yaml'), 'utf8');
  return { ...(parse(text, { merge: true }) as { services: Record<string, Service> }), text };
}

test('OP15 compose.yaml names settings that the shop has, and what must be set says so', async () => {
  const { text, services } = await composeFile();
  for (const name of ['shop', 'worker']) {
    const { environment = {}, read_only, healthcheck } = services[name]!;
    expect(Object.keys(environment).filter(setting => !(setting in schema.shape))).toEqual([]);
    expect(read_only, name).toBe(true);
    expect(healthcheck?.test, name).toEqual(expect.stringContaining('/readyz'));
  }
  for (const [variable] of text.matchAll(/\$\{\w+[^}]*\}/g)) expect(variable).toMatch(/^\$\{\w+:\?.+\}$/);
});

/** A PostgreSQL as compose.yaml runs it, if this machine has one, and age: then the container backs it up. */
const postgres = existsSync('/usr/bin/age')
  ? (await findPrograms('postgres')).find(({ major }) => major === POSTGRES)
  : undefined;
async function openPostgres(): Promise<{ urls: DatabaseUrls; close(): Promise<void> }> {
  if (postgres) {
    const server = await startTemporary({ folder: dirname(postgres.path), major: POSTGRES });
    return { urls: server.urls, close: server.stop };
  }
  process.stdout.write(
    `NOT TRIED: a backup in the container. To try it: apt-get install age postgresql-${POSTGRES}\n`,
  );
  const { urls, drop } = await createDatabase();
  return { urls, close: drop };
}

/** Without these programs nothing of this is tried (`npm run test:all` names what is missing). */
const isInstalled = ['mmdebstrap', 'podman'].every(name => spawnSync(name, ['--version']).status === 0);
describe.skipIf(!isInstalled)('OP15 the image', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixpoint-image-'));
    deb = await packageServer(folder, process.arch, { ...release, signers: '' });
    image = await packageImage(folder, deb, process.arch, release);
  }, 1_200_000);
  afterAll(async () => {
    await podman('rm', '--all', '--force').catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  test('has the same bytes for the same package', { timeout: 1_200_000 }, async () => {
    const again = await mkdtemp(join(folder, 'again-'));
    const sum = async (file: string) => {
      const hash = createHash('sha256');
      for await (const part of createReadStream(file)) hash.update(part);
      return hash.digest('hex');
    };
    const other = await packageImage(again, deb, process.arch, release);
    expect(await sum(other)).toBe(await sum(image));
    expect((await stat(image)).size).toBeLessThan(250e6);
  });

  test('answers as a user without rights, on a read-only root', {
    timeout: 600_000,
  }, async () => {
    await podman('load', '--input', image);
    const name = `localhost/fixpoint:${release.version}`;
    const { stdout: config } = await podman('image', 'inspect', '--format', '{{.Config.User}}', name);
    expect(config.trim()).toBe(`${USER}:${USER}`);

    const problems: string[] = [];
    let runtime = '';
    for (const each of ['crun', 'runc'])
      if (!runtime)
        await container(each, '--rm', name, '/usr/lib/fixpoint/node', '--version').then(
          () => {
            runtime = each;
          },
          ({ stderr, message }) => problems.push(`${each}: ${String(stderr || message).trim()}`),
        );
    if (!runtime) {
      process.stdout.write(
        `NOT TRIED: this kernel runs no container, so the image was only loaded.\n${problems.join('\n')}\n`,
      );
      return;
    }

    const [port, metrics] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const sandbox = await startTestSandbox({ shopUrl: url });
    const database = await openPostgres();
    const [identity, backups] = [join(folder, 'backup.key'), join(folder, 'backups')];
    if (postgres) await run('age-keygen', ['-o', identity]);
    // The file of PayPal's authority lies outside the container.
    const paid = Object.entries(sandbox.settings).filter(([key]) => !key.startsWith('PAYPAL_'));
    const settings = {
      ...Object.fromEntries(paid),
      DATABASE_URL: inContainer(database.urls.owner),
      DATABASE_APP_URL: inContainer(database.urls.app),
      DATABASE_CUSTOMER_URL: inContainer(database.urls.customer),
      DATABASE_MEMBER_URL: inContainer(database.urls.member),
      PUBLIC_URL: url,
      PORT: String(port),
      METRICS_PORT: String(metrics),
      SEED: 'demo',
      ...(postgres && {
        BACKUP_RECIPIENTS: (await run('age-keygen', ['-y', identity])).stdout.trim(),
        BACKUP_DIR: '/var/lib/fixpoint/backups',
      }),
    };
    const file = join(folder, 'fixpoint.env');
    await writeFile(
      file,
      Object.entries(settings)
        .map(([key, value]) => `${key}="${value}"\n`)
        .join(''),
    );
    await chown(file, USER, USER);
    await chmod(file, 0o400);
    const socket = join(await realpath(new URL(database.urls.owner).searchParams.get('host')!), SOCKET);
    // For the user of the container; nobody else enters its folder.
    await chmod(socket, 0o777);
    const mounts = {
      [file]: '/etc/fixpoint/fixpoint.env',
      [socket]: `/tmp/${SOCKET}`,
      data: '/var/lib/fixpoint',
    };
    const volumes = Object.entries(mounts).map(([from, to]) => `--volume=${from}:${to}`);
    const { stdout } = await container(runtime, '--detach', ...volumes, name);
    const id = stdout.trim();
    try {
      const ready = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(ready, 'the shop of the container');
      expect(await (await fetch(`${url}/`)).text()).toContain('<div id="root">');
      const inside = async (...command: string[]) =>
        (await podman(`--runtime=${runtime}`, 'exec', id, ...command)).stdout;
      expect((await inside('id', '-u')).trim()).toBe(String(USER));
      await expect(inside('touch', '/usr/lib/fixpoint/x')).rejects.toThrow('Read-only file system');
      const health = (await composeFile()).services.shop!.healthcheck!.test.replace('9464', String(metrics));
      await inside('sh', '-c', health);
      expect(await inside('fixpoint', 'books')).toContain('The books balance.');
      expect(await inside('pg_dump', '--version')).toContain(`(PostgreSQL) ${POSTGRES}.`);
      if (postgres) {
        expect(await inside('fixpoint', 'backup')).toContain('.backup.age');
        await podman(`--runtime=${runtime}`, 'cp', `${id}:/var/lib/fixpoint/backups`, backups);
        const [file] = (await readdir(backups)).filter(each => each.endsWith('.age'));
        // On the machine that has the private key.
        const command = [join(root, 'apps/api/src/cli.ts'), 'verify', join(backups, file!)];
        const { stdout: said } = await run(process.execPath, [...command, '--identity', identity]);
        expect(said).toContain('The backup is good');
      }
    } catch (error) {
      const logs = await podman('logs', '--tail=40', id);
      throw new Error(`${(error as Error).message}\n${logs.stdout}${logs.stderr}`);
    } finally {
      await podman(`--runtime=${runtime}`, 'rm', '--force', id);
      await database.close();
      await sandbox.stop();
    }
  });
});
