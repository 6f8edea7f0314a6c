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
/** The program waits four seconds for answers. */
const TIMEOUT_MS = 15_000;
const END_MS = 2000;

/** Client of the program inside the tunnel (`probe/inside.ts`). */
export type Inside = {
  /** Process whose network namespace is used. */
  pid: number;
  ask(question: object): Promise<z.infer<typeof seen>>;
  end(): Promise<void>;
};

/** Socket at which systemd starts the program (`debian/fixpoint-agent-probe.socket`). */
const SERVICE = '/run/fixpoint-agent-probe.sock';

/** A running program. */
type Running = { input: Writable; output: Readable; ended: Promise<unknown>; kill(): void };

/**
 * Starts it in a user namespace without root on the host. Passed as text, because that user may not
 * read the file.
 */
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

/** Uses a systemd service, because the agent's unit may not create namespaces. */
function bySystemd(): Running {
  const socket = connect({ path: SERVICE });
  const ended = new Promise(resolve => socket.once('close', resolve));
  return { input: socket, output: socket, ended, kill: () => socket.destroy() };
}

/**
 * Starts the program in a network namespace of its own.
 * @throws Error where this host cannot create one
 */
export const startInside = (program: string, uid: number): Promise<Inside> =>
  start(byUser(program, uid)).catch(() => start(bySystemd()));

async function start({ input, output, ended, kill }: Running): Promise<Inside> {
  input.on('error', () => undefined);
  const lines = createInterface({ input: output });
  lines.on('error', () => undefined);

  /** Reads the next line. @throws Error on timeout */
  async function next(): Promise<string> {
    const timeout = new AbortController();
    const late = sleep(TIMEOUT_MS, undefined, { signal: timeout.signal });
    const none = Promise.race([ended, late]).then(() => {
      throw new Error('the program inside the probe does not answer');
    });
    try {
      const [line] = await Promise.race([once(lines, 'line'), none]);
      return line as string;
    } finally {
      none.catch(() => undefined);
      timeout.abort();
    }
  }

  /** The program ends with its standard input. */
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
