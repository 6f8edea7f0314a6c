import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CHILD_ENV } from '../run.ts';
import { unprivileged } from '../unprivileged.ts';

const seen = z.object({ dns: z.boolean(), answered6: z.boolean() });
/** It waits four seconds for answers. */
const TIMEOUT_MS = 15_000;
const END_MS = 2000;

/** What is done inside the tunnel (`probe/inside.ts`). */
export type Inside = {
  /** Its namespace is that of this process. */
  pid: number;
  ask(question: object): Promise<z.infer<typeof seen>>;
  end(): Promise<void>;
};

/** Where systemd starts the program for whoever calls (`debian/fixpoint-agent-probe.socket`). */
const SERVICE = '/run/fixpoint-agent-probe.sock';

/** One that runs: what it reads and says, and its end. */
type Running = { input: Writable; output: Readable; ended: Promise<unknown>; kill(): void };

/** In a namespace of users, whose root is nobody here. As text: it may lie where that user cannot read. */
function byUser(program: string, uid: number): Running {
  const kind = program.endsWith('.ts') ? 'module-typescript' : 'module';
  const command = [
    ...[...unprivileged(uid), 'unshare', '--user', '--map-root-user', '--net'],
    ...[process.execPath, `--input-type=${kind}`, '--eval', readFileSync(program, 'utf8')],
  ];
  const child = spawn(command[0]!, command.slice(1), {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: '/',
    env: CHILD_ENV,
  });
  const ended = new Promise(resolve => child.once('error', resolve).once('exit', resolve));
  return { input: child.stdin, output: child.stdout, ended, kill: () => child.kill('SIGKILL') };
}

/** In a service of its own: the agent's unit makes no namespaces. */
function bySystemd(): Running {
  const socket = connect({ path: SERVICE });
  const ended = new Promise(resolve => socket.once('close', resolve));
  return { input: socket, output: socket, ended, kill: () => socket.destroy() };
}

/**
 * Starts the program that is alone in a network namespace.
 * @throws Error where this host makes none
 */
export const startInside = (program: string, uid: number): Promise<Inside> =>
  start(byUser(program, uid)).catch(() => start(bySystemd()));

async function start({ input, output, ended, kill }: Running): Promise<Inside> {
  input.on('error', () => undefined);
  const lines = createInterface({ input: output });
  lines.on('error', () => undefined);

  /** Its next line. @throws Error when none comes */
  async function next(): Promise<string> {
    const timeout = new AbortController();
    const late = sleep(TIMEOUT_MS, undefined, { signal: timeout.signal });
    const none = Promise.race([ended, late]).then(() => {
      throw new Error('the inside of a probe says nothing');
    });
    try {
      const [line] = await Promise.race([once(lines, 'line'), none]);
      return line as string;
    } finally {
      none.catch(() => undefined);
      timeout.abort();
    }
  }

  /** It ends with its standard input. */
  const end = async () => {
    input.end();
    await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
    kill();
    await ended;
  };
  try {
    const [, pid] = (await next()).split(' ');
    return {
      pid: Number(pid),
      async ask(question) {
        const answer = next();
        input.write(`${JSON.stringify(question)}\n`);
        return seen.parse(JSON.parse(await answer));
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
