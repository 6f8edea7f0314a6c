import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { WAITS } from '@fixpoint/contract/supervised.ts';
import { compileCache } from './env.ts';
import type { LogFile } from './log-file.ts';

/** Less room for objects that live shortly: 20 MiB less at rest. */
const frugal = ['--max-semi-space-size=4'];
/** A wrong configuration (EX_CONFIG of sysexits): what a program of ours says then is a sentence for the operator. */
const EX_CONFIG = 78;
const endPatience = 12_000; // ms; a child gives itself 10 s
const firstPause = 200; // ms before a restart, doubled up to longestPause
const longestPause = 10_000;

/** One process of the stack, and how it is known to be ready. */
export interface ChildSpec {
  name: string;
  /** Path of the TypeScript program, then its arguments. */
  command: string[];
  cwd: string;
  env: Record<string, string>;
  /** What else its environment needs, where that comes later: it loads meanwhile, and begins then (`begun`). */
  later?: Promise<Record<string, string>>;
  log: LogFile;
  /** Told what an operator should see: errors, restarts. */
  show: (line: string) => void;
  /** Start it again when it dies by itself. */
  keepAlive: boolean;
  /** Resolves when it can be used; `firstLine` is the first line of JSON that it prints. */
  whenReady: (firstLine: Promise<unknown>, signal: AbortSignal) => Promise<void>;
}

/** A supervised process. */
export interface Child {
  readonly pid: number | undefined;
  /** The last lines that it wrote: why it ended. */
  readonly lastLines: readonly string[];
  /** The hardest end there is; it comes back by itself when it is kept alive. Resolves when it is gone. */
  kill9(): Promise<void>;
  /** Clean end (unless it is gone already), then a new start. Resolves when ready. */
  restart(): Promise<void>;
  /** Resolves when the present process, or its successor, is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** A program that ended before it was ready; the message holds its last words. */
export class StartError extends Error {
  override name = 'StartError';
}

interface Run {
  process: ChildProcess;
  ready: Promise<void>;
  ended: Promise<void>;
  lastLines: string[];
}

/**
 * Starts the program and waits until it is ready.
 *
 * @throws StartError when it ends before that.
 */
export async function startChild(given: ChildSpec): Promise<Child> {
  // Why the first start fails is in the StartError; it need not be said twice. What it waits for has to be.
  let wasReady = false;
  const spec: Launched = {
    ...given,
    show: (line, lastWords = false) => (wasReady || !lastWords ? given.show(line) : undefined),
  };
  let run = launch(spec);
  let wanted = true;
  const complete = spec.later?.then(more => {
    // The next one has all of it from the beginning.
    spec.env = { ...spec.env, ...more };
    spec.later = undefined;
    tell(run, more);
  });

  async function keep(): Promise<void> {
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const since = performance.now();
      const mine = run;
      await mine.ended;
      // After a restart somebody else keeps the process.
      if (!wanted || !spec.keepAlive || run !== mine) return;
      if (performance.now() - since > 30_000) pause = firstPause;
      spec.show(`${spec.name} ended unexpectedly; starting it again (log: ${spec.log.path})`);
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
      await run.ended;
    },
    async restart() {
      await child.stop();
      wanted = true;
      run = launch(spec);
      keep();
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
  keep();
  return child;
}

/** One that has ended meanwhile is noticed by its end. */
const tell = ({ process: child }: Run, more: Record<string, string>): void => void child.send(more, () => {});

function isReady({ process: child, ready }: Run): Promise<boolean> {
  return ready.then(
    () => child.exitCode === null && child.signalCode === null,
    () => false,
  );
}

/** `lastWords`: it may be what a program says before it gives up. */
type Launched = Omit<ChildSpec, 'show'> & { show(line: string, lastWords?: boolean): void };

function launch(spec: Launched): Run {
  const child = spawn(process.execPath, [...frugal, ...spec.command], {
    cwd: spec.cwd,
    env: { NODE_COMPILE_CACHE: compileCache, ...spec.env, ...(spec.later && { [WAITS]: '1' }) },
    // The channel is how a child notices our end. A group of its own keeps the terminal's Ctrl-C from it:
    // we stop the children in order.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const lastLines: string[] = [];
  const lastErrors: string[] = [];
  const over = new AbortController();
  let told: (value: unknown) => void;
  const firstLine = new Promise<unknown>(resolve => {
    told = resolve;
  });
  const note = (line: string, isError: boolean) => {
    spec.log.write(line);
    lastLines.push(line);
    if (lastLines.length > 20) lastLines.shift();
    const entry = parseLine(line);
    if (entry) told(entry);
    if (isError) lastErrors.push(line);
    const text = entry ? errorText(entry) : isError ? line : undefined;
    if (text) spec.show(`${spec.name}: ${text}`, isError);
  };
  createInterface({ input: child.stdout! }).on('line', line => note(line, false));
  createInterface({ input: child.stderr! }).on('line', line => note(line, true));

  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      lastLines.push(error.message);
      resolve();
    });
    child.once('close', () => resolve());
    // What it started may still hold its output open: wait only for the last words.
    child.once('exit', () => setTimeout(resolve, 200));
  });
  const ready = Promise.race([
    Promise.resolve(spec.later).then(() => spec.whenReady(firstLine, over.signal)),
    ended.then(() => {
      over.abort();
      // Its own words on the error output tell why; its log tells more, when it had none.
      const words = child.exitCode === EX_CONFIG ? lastErrors : lastLines;
      throw new StartError(`${spec.name} cannot start:\n${words.join('\n')}`);
    }),
  ]);
  ready.catch(() => {});
  return { process: child, ready, ended, lastLines };
}

async function end(run: Run): Promise<void> {
  run.process.kill('SIGTERM');
  const waiting = new AbortController();
  const late = delay(endPatience, true, { signal: waiting.signal }).catch(() => false);
  if (await Promise.race([late, run.ended])) run.process.kill('SIGKILL');
  waiting.abort();
  await run.ended;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The message of an entry of level `error` (50 in pino) or above. */
function errorText(entry: Record<string, unknown>): string | undefined {
  if (!(Number(entry.level) >= 50)) return undefined;
  const cause = entry.err as { message?: string } | undefined;
  return [entry.msg, cause?.message].filter(Boolean).join(': ');
}
