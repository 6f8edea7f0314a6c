import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { families } from '@fixpoint/api/adapters/typst/fonts.ts';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { buildDebianPackage, type DebianTree, processorOf } from '../debian-tree.ts';
import { withNode, withPackage } from '../node-package.ts';
import { bundleApi, native } from './bundle-api.ts';
import { asInstalled, bashCompletion, manualPage } from './manual.ts';
import { settingsFile } from './settings-file.ts';

const from = join(root, 'apps/api/debian');
const program = '/usr/lib/fixpoint';
const units = [
  ...['fixpoint-api.service', 'fixpoint-worker.service'],
  ...['fixpoint-api.socket', 'fixpoint-agents.socket'],
];

/** What modules read at runtime, beside the bundles. */
const files = [
  'apps/api/src/compose/no-logs/canary.sh',
  'apps/api/src/adapters/typst/document.typ',
  'apps/api/src/adapters/typst/logo.svg',
];
const folders = [
  'apps/api/migrations',
  ...['bundles', 'emails', 'documents'].map(name => `packages/texts/src/${name}`),
];

/** For Prometheus and Grafana (docs/operate/watching.md). */
const monitoring = ['prometheus/rules.yaml', 'grafana/fixpoint.json'];

/** Native code is a package per processor, for the C library of Debian. */
const nativeFor = (cpu: string): string[] => native.map(name => `${name}-linux-${cpu}-gnu`);

/** Debian's package without a number is only installed where somebody asked for it; the server brings one with a number. */
const postgresqlClient = ['', '-15', '-16', '-17', '-18']
  .map(number => `postgresql-client${number || ' (>= 15)'}`)
  .join(' | ');
/** Versions of Debian 12. */
const depends = `adduser, age, libc6 (>= 2.36), libstdc++6 (>= 12), openssh-client, ${postgresqlClient}, systemd (>= 252), util-linux`;
/** A database may run on another machine, and any proxy will do. */
const recommends = 'postgresql (>= 15), caddy | nginx, bash-completion';

/**
 * Builds the Debian package of the shop with its Node: what it needs at runtime, and nothing to develop it. The same commit
 * gives the same bytes.
 * @param release version, and the time of its commit in seconds since 1970
 * @param signers public keys that may sign the versions after this one (allowed_signers of ssh-keygen)
 * @returns path of the package
 */
export async function packageServer(
  folder: string,
  arch: string,
  release: { version: string; epoch: number; signers: string },
): Promise<string> {
  const { cpu, architecture } = processorOf(arch);
  await buildWeb(() => {});
  const fields = {
    Package: 'fixpoint',
    Version: release.version,
    Architecture: architecture,
    Maintainer: 'Fixpoint',
    Section: 'web',
    Priority: 'optional',
    Depends: depends,
    Recommends: recommends,
    Description:
      'Web shop of a VPN service with fixed IPs\n Shop, account area, billing and the command of its staff.',
  };
  return buildDebianPackage(folder, fields, release.epoch, async tree => {
    await putProgram(tree, cpu, folder);
    await putFonts(tree);
    await putSystem(tree, release);
  });
}

async function putProgram({ put, putFolder, path }: DebianTree, cpu: string, folder: string): Promise<void> {
  await withNode(cpu, folder, async node => {
    await put(join(node, 'bin/node'), `${program}/node`, 0o755);
    await put(join(node, 'LICENSE'), '/usr/share/doc/fixpoint/LICENSE.node');
  });
  for (const name of native)
    await putFolder(join(root, 'node_modules', name), `${program}/node_modules/${name}`);
  for (const name of nativeFor(cpu))
    await withPackage(name, folder, at => putFolder(at, `${program}/node_modules/${name}`));
  for (const file of files) await put(join(root, file), `${program}/${file}`);
  for (const each of folders) await putFolder(join(root, each), `${program}/${each}`);
  const own = ['.inputs'];
  await putFolder(join(root, 'apps/web/dist'), `${program}/apps/web/dist`, file => !own.includes(file));
  await bundleApi(path(program));
}

/** The fonts that documents use; their packages have others too. */
async function putFonts({ put }: DebianTree): Promise<void> {
  const packages = join(root, 'node_modules');
  for (const file of Object.values(families).flat()) {
    const name = relative(packages, file).split('/').slice(0, 2).join('/');
    const at = (path: string) => `${program}/node_modules/${name}/${path}`;
    const { main = 'index.js' } = JSON.parse(
      await readFile(join(packages, name, 'package.json'), 'utf8'),
    ) as { main?: string };
    // They are found by the main file of their package.
    for (const path of ['package.json', main]) await put(join(packages, name, path), at(path));
    await put(file, at(relative(join(packages, name), file)));
  }
}

async function putSystem(
  { put, write }: DebianTree,
  { version, epoch, signers }: { version: string; epoch: number; signers: string },
): Promise<void> {
  for (const unit of units) await put(join(from, unit), `/usr/lib/systemd/system/${unit}`);
  await put(join(from, 'fixpoint'), '/usr/bin/fixpoint', 0o755);
  await write(
    settingsFile(await readFile(join(root, '.env.example'), 'utf8')),
    '/usr/share/fixpoint/fixpoint.env',
  );
  await write(signers, '/usr/share/fixpoint/release-signers');
  const day = new Date(epoch * 1000).toISOString().slice(0, 10);
  await write(manualPage(version, day), '/usr/share/man/man1/fixpoint.1');
  await write(bashCompletion(), '/usr/share/bash-completion/completions/fixpoint');
  for (const page of ['LICENSE', 'CHANGELOG.md'])
    await put(join(root, page), `/usr/share/doc/fixpoint/${page}`);
  // Commands and alerts name them by this path.
  for (const page of (await readdir(join(root, 'docs/operate'))).sort())
    await put(join(root, 'docs/operate', page), `/usr/share/doc/fixpoint/docs/operate/${page}`);
  await put(
    join(root, 'docs/operate/catalogue.example.yaml'),
    '/usr/share/doc/fixpoint/examples/catalogue.yaml',
  );
  for (const file of monitoring)
    await write(asInstalled(await readFile(join(root, 'ops', file), 'utf8')), `/usr/share/fixpoint/${file}`);
  for (const script of ['postinst', 'prerm', 'postrm'])
    await put(join(from, script), `/DEBIAN/${script}`, 0o755);
}
