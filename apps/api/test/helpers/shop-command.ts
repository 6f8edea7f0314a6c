import { type ChildProcess, execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runShopCommand } from '@fixpoint/api/cli/run.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { startInlineJobs } from '@fixpoint/testkit/jobs-inline.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';

type Outcome = { code: number; stdout: string; stderr: string };

/** Runs the operator's command in this process, because a new process takes a second. It sees nothing but `env`. */
export async function runShop(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    ask: async () => false,
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  };
  const code = await runShopCommand(args, env, terminal, startInlineJobs);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** @throws Error with `code`, `stdout` and `stderr` when the command fails, as a process does */
export async function runCommand(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const outcome = await runShop(env, ...args);
  if (outcome.code !== 0) throw Object.assign(new Error(outcome.stderr || outcome.stdout), outcome);
  return outcome;
}

const program = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** Same in a process of its own, which a test can kill. */
export const startCommand = (
  env: Record<string, string>,
  ...args: string[]
): Promise<{ stdout: string; stderr: string }> & { child: ChildProcess } =>
  promisify(execFile)(process.execPath, [program, ...args], { env });

type Commanded = Pick<TestShop, 'databaseUrls' | 'sandbox' | 'url' | 'agentSocket'>;

/** The environment of a command on the database and providers of a shop. */
export const commandEnv = ({
  databaseUrls,
  sandbox,
  url,
  agentSocket,
}: Commanded): Record<string, string> => ({
  ...databaseSettings(databaseUrls),
  MASTER_KEY_FILE: join(dirname(agentSocket), 'master.key'),
  ...sandbox.settings,
  PUBLIC_URL: url,
});

/** Runs `npm run shop -- …` on the database and providers of a shop. */
export const shopCommand = (shop: Commanded, ...args: string[]): Promise<Outcome> =>
  runShop(commandEnv(shop), ...args);

/** Same for a command that shows a plan first: executes what it planned. @returns how that ended @throws when it plans nothing */
export async function confirmedCommand(shop: Commanded, ...args: string[]): Promise<Outcome> {
  const { stdout, stderr } = await shopCommand(shop, ...args);
  const [, preview] = /--confirm (\w+)/.exec(stdout) ?? [];
  if (!preview) throw new Error(stderr || stdout);
  return shopCommand(shop, ...args, '--confirm', preview);
}
