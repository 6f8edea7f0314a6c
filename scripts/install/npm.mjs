// Plain JavaScript for Node 20: see install.mjs.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs npm and waits for its exit. Forwards signals, so that npm rolls back. npm has its own process group: a terminal's
 * Ctrl-C reaches it only once, from here.
 *
 * @param args arguments of npm
 * @param options `cwd`; `started` receives npm's PID; `silent` captures the output instead of printing it; `limit` is a
 *   timeout in ms
 * @returns `code`: npm's exit code, or 128 plus the number of a signal to this process; `stopped`: whether there was one;
 *   `output` when `silent`
 */
export async function runNpm(args, { cwd, started = () => {}, silent = false, limit }) {
  const [program, all] = npm(args);
  const stdio = ['ignore', silent ? 'pipe' : 'inherit', silent ? 'ignore' : 'inherit'];
  const child = spawn(program, all, { cwd, stdio, detached: true, timeout: limit });
  if (child.pid) started(child.pid);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', text => {
    output += text;
  });
  let received;
  const forward = signal => {
    if (received) return;
    received = signal;
    console.error('\nStopping: npm rolls back the installation …');
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const code = await new Promise(resolve => {
    child.once('error', () => resolve(1));
    child.once('close', exited => resolve(exited ?? 1));
  });
  for (const signal of signals) process.off(signal, forward);
  return {
    code: received ? 128 + constants.signals[received] : code,
    stopped: received !== undefined,
    output,
  };
}

function npm(args) {
  const cli = process.env.npm_execpath;
  // Uses npm's own Node: the one in node_modules may be replaced.
  if (cli?.endsWith('.js')) return [process.env.npm_node_execpath ?? process.execPath, [cli, ...args]];
  return ['npm', args];
}
