// Plain JavaScript that runs on Node 20: see install.mjs.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs npm to its end, also when this process is told to stop meanwhile: npm is told so too, takes back what it has begun,
 * and is waited for. It has a group of its own, so that a terminal's Ctrl-C reaches it once, by us.
 *
 * @param args what npm is asked to do
 * @param options `cwd`; `started` is told npm's process number; `silent` keeps what it says (answered as `output`);
 *   `limit` in ms ends it
 * @returns `code`: npm's own, or 128 and the number of the signal that we were sent; `stopped`: whether we were sent one
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
  let told;
  const forward = signal => {
    if (told) return;
    told = signal;
    console.error('\nStopping: npm takes back what it has begun …');
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const code = await new Promise(resolve => {
    child.once('error', () => resolve(1));
    child.once('close', ended => resolve(ended ?? 1));
  });
  for (const signal of signals) process.off(signal, forward);
  return { code: told ? 128 + constants.signals[told] : code, stopped: told !== undefined, output };
}

function npm(args) {
  const cli = process.env.npm_execpath;
  // npm's own Node: the one in node_modules is about to be replaced.
  if (cli?.endsWith('.js')) return [process.env.npm_node_execpath ?? process.execPath, [cli, ...args]];
  return ['npm', args];
}
