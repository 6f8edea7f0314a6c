// Plain JavaScript for Node 20: runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLock } from './install/lock.mjs';
import { missingPackages } from './install/missing-packages.mjs';
import { runNpm } from './install/npm.mjs';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const node24 = join(root, 'node_modules', '.bin', 'node');
const marker = join(root, 'node_modules', '.installed');
const lock = join(root, 'node_modules', '.installing');

/**
 * Installs the packages of the lock file, development tools included, because Node 24 and the build of the web client are
 * among them. Does nothing, without network, when exactly these packages are installed. Why not `npm ci`:
 * docs/decisions/0002-install-without-install-scripts.md. A lock admits one installation at a time; an interrupted one
 * leaves no marker, so that the next start installs again.
 */
export async function install() {
  const text = readFileSync(join(root, 'package-lock.json'));
  const digest = createHash('sha256').update(text).digest('hex');
  const missing = () => missingPackages(root, JSON.parse(text).packages);
  const isInstalled = () =>
    existsSync(marker) && readFileSync(marker, 'utf8') === digest && missing().length === 0;
  if (isInstalled()) return;
  const work = async shareWith => {
    // Another process may have installed meanwhile.
    if (isInstalled()) return 0;
    rmSync(marker, { force: true });
    const code = await installPackages(shareWith);
    if (code !== 0) return code;
    const [first] = missing();
    if (first)
      throw new Error(`npm did not install ${first}. Is it in the registry? (npm config get registry)`);
    writeFileSync(marker, digest);
    return 0;
  };
  try {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    const code = await withLock(lock, work, pid =>
      console.log(`Process ${pid} is already installing the packages: waiting for it …`),
    );
    if (code !== 0) process.exit(code);
  } catch (error) {
    console.error(`The packages are not installed: ${error.message}`);
    process.exit(1);
  }
}

/** By default npm waits half an hour for a registry that is gone. */
const onlineOptions = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'];
/** Time for the registry to answer. */
const registryTimeout = 10_000; // ms
/** A silent registry may only be slow: npm asks it for uncached packages only, 5 s each. */
const offlineOptions = ['--prefer-offline', '--fetch-retries=0', '--fetch-timeout=5000'];

async function installPackages(shareWith) {
  console.log('Installing the packages (once, about a minute) …');
  const asked = await askRegistry();
  if (asked.stopped) return asked.code;
  if (asked.code !== 0) {
    const { output } = await runNpm(['config', 'get', 'registry'], { cwd: root, silent: true });
    console.error(`The registry ${output.trim()} does not answer: trying with npm's cache …`);
  }
  const { code, stopped } = await runNpm(
    [
      ...['install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error'],
      ...(asked.code === 0 ? onlineOptions : offlineOptions),
    ],
    { cwd: root, started: shareWith },
  );
  if (code !== 0 && !stopped) {
    console.error(
      'npm could not install the packages. Check the network and the registry:\n  npm config set registry URL',
    );
  }
  return code;
}

/** Asks for a small package by npm, which knows the registry, its login and proxies. */
const askRegistry = () =>
  runNpm(['view', 'uqr', 'name', '--fetch-retries=0', `--fetch-timeout=${registryTimeout}`], {
    cwd: root,
    silent: true,
    limit: registryTimeout,
  });

/** Node's compile cache, for faster starts. */
const compileCache = join(root, 'node_modules', '.cache', 'node');

/**
 * Runs a script on Node 24 and exits with its exit code. Signals reach the script, and it exits with this process, even
 * after SIGKILL. Uses this process if it already is that Node 24, because each further process costs 40 MiB.
 */
export async function runOnNode24(script, args) {
  const program = existsSync(node24) ? node24 : process.execPath;
  if (program === process.execPath && Number.parseInt(process.versions.node, 10) < 24) {
    console.error(
      `There is no Node 24 package for ${process.platform}-${process.arch}: install Node 24 and try again.`,
    );
    process.exit(1);
  }
  const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
  // A shell between npm and this process may not pass on npm's signals and exit.
  const parent = process.ppid;
  const whenOrphaned = end => {
    if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && end(), 1000).unref();
  };
  if (realpathSync(program) === realpathSync(process.execPath)) {
    whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));
    process.env.PATH = path;
    process.argv = [program, join(root, script), ...args];
    module.enableCompileCache(compileCache);
    await import(pathToFileURL(join(root, script)).href);
    return;
  }
  const child = spawn(program, [join(root, script), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: path },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  whenOrphaned(() => child.kill('SIGTERM'));
  process.exit(await new Promise(resolve => child.once('exit', code => resolve(code ?? 1))));
}
