import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '@fixpoint/dev-stack/child.ts';
import type { Stack } from '@fixpoint/dev-stack/stack.ts';
import type { Prng } from '@fixpoint/testkit/load-test/prng.ts';

/** Process ids of a server and its descendants. */
function processTree(pid: number): number[] {
  const parentOf = (process: string) => {
    try {
      // Fields after the name, which may contain anything: state, then parent.
      return Number(readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]);
    } catch {
      return undefined;
    }
  };
  const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited.
  }
};

/** Pauses PostgreSQL while its connections stay open. */
async function freeze(pid: number, ms: number): Promise<void> {
  const family = processTree(pid);
  for (const one of family) signal(one, 'SIGSTOP');
  await delay(ms);
  for (const one of family) signal(one, 'SIGCONT');
}

/**
 * Kills nodes and the database, and pauses the database, until stopped.
 * @returns `stop`, after which everything runs: counts of its faults, and nodes that died without one
 */
export function startFaultInjector(stack: Stack, nodes: readonly Child[], prng: Prng, longestFreeze: number) {
  const pids = nodes.map(({ pid }) => pid);
  const done: Record<string, number> = {};
  const died: string[] = [];
  let over = false;

  const isAlive = (index: number): boolean => {
    try {
      process.kill(pids[index]!, 0);
      return true;
    } catch {
      return false;
    }
  };
  const look = () => {
    for (const [index, { lastLines }] of nodes.entries()) {
      if (!isAlive(index)) died.push(`FM5 node ${index} ended by itself:\n${lastLines.join('\n')}`);
    }
  };
  const actions = {
    async killNode() {
      const index = prng.below(nodes.length);
      await nodes[index]!.kill9();
      await delay(prng.below(500));
      await nodes[index]!.restart();
      pids[index] = nodes[index]!.pid;
    },
    async killDatabase() {
      signal(stack.postgres!.pid, 'SIGKILL');
    },
    async freezeDatabase() {
      await freeze(stack.postgres!.pid, 500 + prng.below(longestFreeze));
    },
  };
  const names = Object.keys(actions) as (keyof typeof actions)[];
  /** Names in random order, each once before any repeats. */
  let rest: typeof names = [];
  const next = () => {
    if (rest.length === 0) rest = [...names];
    return rest.splice(prng.below(rest.length), 1)[0]!;
  };

  const running = (async () => {
    // Every fault occurs once, however fast the buyers are.
    while (!over || Object.keys(done).length < names.length) {
      await delay(500 + prng.below(1_500));
      const name = next();
      await actions[name]().catch((error: Error) => died.push(`FM5 ${name}: ${error.message}`));
      look();
      done[name] = (done[name] ?? 0) + 1;
    }
  })();
  return {
    async stop(): Promise<{ done: Record<string, number>; died: string[] }> {
      over = true;
      await running;
      return { done, died };
    },
  };
}
