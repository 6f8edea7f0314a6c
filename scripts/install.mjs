// Plain JavaScript that runs on Node 20: what must work before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const node24 = join(root, 'node_modules', '.bin', 'node');
const mark = join(root, 'node_modules', '.installed');

/**
 * Installs what the lock file names, unless exactly that was installed before: then no network is needed.
 * The development tools belong to it: Node 24 and the build of the web client are among them. Not `npm ci`,
 * which refuses a lock file without the packages of every platform in the world (docs/decisions/0002).
 */
export async function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log('Installing the packages (once, about a minute) …');
  const code = await run(
    ...npm('install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error'),
  );
  if (code !== 0) {
    console.error('npm could not install the packages. Is the registry reachable? (npm config get registry)');
    process.exit(1);
  }
  writeFileSync(mark, lock);
}

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

function npm(...args) {
  const cli = process.env.npm_execpath;
  // npm's own Node: the one in node_modules is about to be replaced.
  if (cli?.endsWith('.js')) return [process.env.npm_node_execpath ?? process.execPath, [cli, ...args]];
  return ['npm', args];
}

function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise(resolve => {
    child.once('error', () => resolve(1));
    child.once('exit', code => resolve(code ?? 1));
  });
}
