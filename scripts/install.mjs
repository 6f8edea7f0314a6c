// Plain JavaScript that runs on Node 20: what must work before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { alone } from './install/lock.mjs';
import { runNpm } from './install/npm.mjs';
import { absentPackages } from './install/whole.mjs';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const node24 = join(root, 'node_modules', '.bin', 'node');
const mark = join(root, 'node_modules', '.installed');
const lock = join(root, 'node_modules', '.installing');

/**
 * Installs what the lock file names, unless exactly that was installed before and is still there: then no network is
 * needed. The development tools belong to it: Node 24 and the build of the web client are among them. Not `npm ci`,
 * which refuses a lock file without the packages of every platform in the world (docs/decisions/0002). One at a time;
 * an interrupted one leaves nothing that a later one trusts.
 */
export async function install() {
  const text = readFileSync(join(root, 'package-lock.json'));
  const digest = createHash('sha256').update(text).digest('hex');
  const absent = () => absentPackages(root, JSON.parse(text).packages);
  const isInstalled = () =>
    existsSync(mark) && readFileSync(mark, 'utf8') === digest && absent().length === 0;
  if (isInstalled()) return;
  const work = async shareWith => {
    // Somebody else may have done it meanwhile.
    if (isInstalled()) return 0;
    rmSync(mark, { force: true });
    const code = await installPackages(shareWith);
    if (code !== 0) return code;
    const [missing] = absent();
    if (missing) throw new Error(`npm left out ${missing}. Is it in the registry? (npm config get registry)`);
    writeFileSync(mark, digest);
    return 0;
  };
  try {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    const code = await alone(lock, work, pid =>
      console.log(`Process ${pid} is installing the packages already: waiting for it …`),
    );
    if (code !== 0) process.exit(code);
  } catch (error) {
    console.error(`The packages are not installed: ${error.message}`);
    process.exit(1);
  }
}

/** What npm tries again it tries soon: it would wait for a registry that is gone for half an hour. */
const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'];
/** A registry has so long to answer. */
const registryLimit = 10_000; // ms
/** One that did not may only be slow: it is asked for what is not here, each time for 5 s. */
const sceptical = ['--prefer-offline', '--fetch-retries=0', '--fetch-timeout=5000'];

async function installPackages(shareWith) {
  console.log('Installing the packages (once, about a minute) …');
  const asked = await askRegistry();
  if (asked.stopped) return asked.code;
  if (asked.code !== 0) {
    const { output } = await runNpm(['config', 'get', 'registry'], { cwd: root, silent: true });
    console.error(
      `The registry ${output.trim()} does not answer: trying with what npm has kept of an earlier installation …`,
    );
  }
  const { code, stopped } = await runNpm(
    [
      ...['install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error'],
      ...(asked.code === 0 ? impatient : sceptical),
    ],
    { cwd: root, started: shareWith },
  );
  if (code !== 0 && !stopped) {
    console.error(
      'npm could not install the packages. Is the network there, and is it the right registry? (npm config set registry URL)',
    );
  }
  return code;
}

/** Asks for one small package, by npm itself: it knows the registry, its log-in and the proxies before it. */
const askRegistry = () =>
  runNpm(['view', 'uqr', 'name', '--fetch-retries=0', `--fetch-timeout=${registryLimit}`], {
    cwd: root,
    silent: true,
    limit: registryLimit,
  });

/** Where Node keeps programs as it has compiled them: the next start need not do it again. */
const compileCache = join(root, 'node_modules', '.cache', 'node');

/**
 * Runs a script under Node 24 until it ends, and ends with its exit code. Signals reach the script, and it ends
 * when this process does, however suddenly. In this process, when it is that Node 24 already: npm takes it from the
 * packages as soon as they are there, and each process more costs 40 MiB.
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
  // A shell between npm and us may keep npm's signals and its end to itself.
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
