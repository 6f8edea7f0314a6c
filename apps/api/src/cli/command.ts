import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { JobRunner } from '../adapters/jobs/runner.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { CommandEnv } from '../env/env.ts';
import { createLogger } from '../log/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';

/** Dependencies of a command. */
export type Context = {
  db: Db;
  env: CommandEnv;
  /** The environment as given, for settings that only some commands need. */
  source: NodeJS.ProcessEnv;
  /** Opens the job queue, for commands that enqueue something. */
  openJobs(url: string, log: Logger): Promise<JobRunner>;
  /** Prints progress while the command continues. */
  say(line: string): void;
  /** Asks the operator; false without a terminal. */
  ask(question: string): Promise<boolean>;
};

/** Output of a command. `bad` makes the program exit with 1. */
export type Said = { says: string; bad: boolean };

/** One of the operator's commands. */
export type Command = {
  /** The forms of the command line, and what each does. */
  usage: readonly { form: string; does: string }[];
  /** @throws UsageError */
  run(context: Context, args: string[]): Promise<string | Said>;
};

/** A mistake in the command line. The usage of the command is printed below its message. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Usage of commands as printed. */
export const usageText = (commands: readonly Command[]): string =>
  commands
    .flatMap(({ usage }) => usage)
    .map(({ form, does }) => `  ${form}\n      ${does}\n`)
    .join('');

/** Parses the options of a command line. @throws UsageError for unknown or missing ones */
export function readArgs<N extends string>(
  args: string[],
  options: readonly N[],
  flags: readonly string[] = [],
): { option(name: N): string; optional(name: N): string | undefined; has(flag: string): boolean } {
  const typed = (names: readonly string[], type: 'string' | 'boolean') =>
    Object.fromEntries(names.map(name => [name, { type }]));
  const values = parsed(args, { ...typed(options, 'string'), ...typed(flags, 'boolean') });
  const optional = (name: N) => values[name] as string | undefined;
  return {
    optional,
    has: flag => values[flag] === true,
    option(name) {
      const value = optional(name);
      if (!value) throw new UsageError(`--${name} is missing`);
      return value;
    },
  };
}

function parsed(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!/^ERR_PARSE_ARGS/.test((error as { code?: string }).code ?? '')) throw error;
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError if there are more arguments than a command takes */
export function noMore(args: readonly string[], most: number): void {
  if (args.length > most) throw new UsageError(`Unexpected argument: ${args[most]}`);
}

/** Runs a command that enqueues jobs, with the shop clock. */
export async function withJobs<R>(
  { env, db, openJobs }: Context,
  use: (deps: { db: Db; clock: Clock; jobs: Jobs }) => Promise<R>,
): Promise<R> {
  const clock = await openShopClock(db, systemClock);
  const jobs = await openJobs(env.DATABASE_APP_URL, createLogger('error'));
  try {
    return await use({ db, clock, jobs });
  } finally {
    await jobs.stop();
  }
}
