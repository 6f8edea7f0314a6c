import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { WAITS } from '@fixpoint/contract/supervised.ts';
import { compileCache } from './env.ts';
import type { LogFile } from './log-file.ts';

/** A smaller young generation saves 20 MiB at rest. */
const frugal = ['--max-semi-space-size=4'];
/** Exit codes for a wrong configuration and a passing fault (sysexits.h): the error output is a sentence for the operator. */
const EXPLAINED: readonly (number | null)[] = [78, 75];
const stopTimeout = 12_000; // ms; a child gives itself 10 s
const firstPause = 200; // ms before a restart, doubled up to longestPause
const longestPause = 10_000;

/** A process of the stack, and how its readiness is detected. */
export interface ChildSpec {
  name: string;
  /** Path of the TypeScript program, then its arguments. */
  command: string[];
  cwd: string;
  env: Record<string, string>;
  /** Settings that are known later: the program loads meanwhile and waits for them (`begun` of the contract). */
  lateEnv?: Promise<Record<string, string>>;
  log: LogFile;
  /** Receives lines for the operator: errors, restarts. */
  show: (line: string) => void;
  /** Restart the process when it exits by itself. */
  keepAlive: boolean;
  /** Resolves when the process is ready; `firstLine` is the first JSON line that it prints. */
  whenReady: (firstLine: Promise<unknown>, signal: AbortSignal) => Promise<void>;
}

/** A supervised process. */
export interface Child {
  readonly pid: number | undefined;
  /** The last lines of its output, for error messages. */
  readonly lastLines: readonly string[];
  /** Sends SIGKILL and resolves when the process is gone. With `keepAlive` it restarts by itself. */
  kill9(): Promise<void>;
  /** Stops the process cleanly if it runs, then starts it. Resolves when ready. */
  restart(): Promise<void>;
  /** Resolves when the current process or its successor is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** A program exited before it was ready; the message contains the end of its output. */
export class StartError extends Error {
  override name = 'StartError';
  readonly exitCode: number | null | undefined;
  /** @param exitCode of the program; 78 for a wrong configuration */
  constructor(message: string, exitCode?: number | null) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface Run {
  process: ChildProcess;
  ready: Promise<void>;
  exited: Promise<void>;
  lastLines: string[];
}

/**
 * Starts the program and waits until it is ready.
 *
 * @throws StartError when it exits before that
 */
export async function startChild(given: ChildSpec): Promise<Child> {
  // Before the process was ready once, its error output is in the StartError; `show` would repeat it.
  let wasReady = false;
  const spec: Launched = {
    ...given,
    show: (line, isErrorOutput = false) => (wasReady || !isErrorOutput ? given.show(line) : undefined),
  };
  let run = launch(spec);
  let wanted = true;
  const complete = spec.lateEnv?.then(more => {
    // A restarted process has them from the beginning.
    spec.env = { ...spec.env, ...more };
    spec.lateEnv = undefined;
    sendSettings(run, more);
  });

  async function supervise(): Promise<void> {
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const since = performance.now();
      const mine = run;
      await mine.exited;
      // After a restart another call supervises the process.
      if (!wanted || !spec.keepAlive || run !== mine) return;
      if (performance.now() - since > 30_000) pause = firstPause;
      spec.show(`${spec.name} exited unexpectedly; restarting it (log: ${spec.log.path})`);
      await delay(pause);
      if (!wanted || run !== mine) return;
      run = launch(spec);
    }
  }

  const child: Child = {
    get pid() {
      return run.process.pid;
    },
    get lastLines() {
      return run.lastLines;
    },
    async kill9() {
      run.process.kill('SIGKILL');
      await run.exited;
    },
    async restart() {
      await child.stop();
      wanted = true;
      run = launch(spec);
      supervise();
      await run.ready;
    },
    async ready() {
      while (!(await isReady(run))) await delay(50);
    },
    async stop() {
      wanted = false;
      await end(run);
    },
  };

  try {
    await Promise.all([complete, run.ready]);
    wasReady = true;
  } catch (error) {
    await child.stop();
    throw error;
  }
  supervise();
  return child;
}

/** Errors are ignored: the exit of the process is noticed elsewhere. */
const sendSettings = ({ process: child }: Run, more: Record<string, string>): void =>
  void child.send(more, () => {});

function isReady({ process: child, ready }: Run): Promise<boolean> {
  return ready.then(
    () => child.exitCode === null && child.signalCode === null,
    () => false,
  );
}

/** `isErrorOutput`: the line comes from the error output, perhaps before the program gives up. */
type Launched = Omit<ChildSpec, 'show'> & { show(line: string, isErrorOutput?: boolean): void };

function launch(spec: Launched): Run {
  const child = spawn(process.execPath, [...frugal, ...spec.command], {
    cwd: spec.cwd,
    env: { NODE_COMPILE_CACHE: compileCache, ...spec.env, ...(spec.lateEnv && { [WAITS]: '1' }) },
    // A child notices our exit by the closed IPC channel. Its own process group keeps the terminal's Ctrl-C from it: the
    // stack stops its children in order.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const lastLines: string[] = [];
  const lastErrors: string[] = [];
  const over = new AbortController();
  let resolveFirstLine: (value: unknown) => void;
  const firstLine = new Promise<unknown>(resolve => {
    resolveFirstLine = resolve;
  });
  const note = (line: string, isError: boolean) => {
    spec.log.write(line);
    lastLines.push(line);
    if (lastLines.length > 20) lastLines.shift();
    const entry = parseLine(line);
    if (entry) resolveFirstLine(entry);
    if (isError) lastErrors.push(line);
    const text = entry ? errorText(entry) : isError ? line : undefined;
    if (text) spec.show(`${spec.name}: ${text}`, isError);
  };
  createInterface({ input: child.stdout! }).on('line', line => note(line, false));
  createInterface({ input: child.stderr! }).on('line', line => note(line, true));

  const exited = new Promise<void>(resolve => {
    child.once('error', error => {
      lastLines.push(error.message);
      resolve();
    });
    child.once('close', () => resolve());
    // Its own children may keep the output open, so wait only briefly for the last lines.
    child.once('exit', () => setTimeout(resolve, 200));
  });
  const ready = Promise.race([
    Promise.resolve(spec.lateEnv).then(() => spec.whenReady(firstLine, over.signal)),
    exited.then(() => {
      over.abort();
      const lines = EXPLAINED.includes(child.exitCode) ? lastErrors : lastLines;
      throw new StartError(`${spec.name} cannot start:\n${lines.join('\n')}`, child.exitCode);
    }),
  ]);
  ready.catch(() => {});
  return { process: child, ready, exited, lastLines };
}

async function end(run: Run): Promise<void> {
  run.process.kill('SIGTERM');
  const waiting = new AbortController();
  const late = delay(stopTimeout, true, { signal: waiting.signal }).catch(() => false);
  if (await Promise.race([late, run.exited])) run.process.kill('SIGKILL');
  waiting.abort();
  await run.exited;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Message of a log entry of level `error` (50 in pino) or above. */
function errorText(entry: Record<string, unknown>): string | undefined {
  if (!(Number(entry.level) >= 50)) return undefined;
  const cause = entry.err as { message?: string } | undefined;
  return [entry.msg, cause?.message].filter(Boolean).join(': ');
}
