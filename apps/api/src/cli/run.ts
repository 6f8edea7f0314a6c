import { writeFile } from 'node:fs/promises';
import type { Operation } from '@fixpoint/contract/staff/operation.ts';
import { startJobs } from '../adapters/jobs/runner.ts';
import type { Area, OfflineWork } from '../compose/staff/handler.ts';
import { runOperation, type StaffDeps } from '../compose/staff/run-operation.ts';
import { openDatabase } from '../database/database.ts';
import { checkMigrated, NotMigrated } from '../database/migrate.ts';
import { asApplication } from '../database/scope.ts';
import { readCommandEnv } from '../env/env.ts';
import { isDatabaseGone } from '../kernel/database-gone.ts';
import { type Command, commandOf, operationOf } from './areas.ts';
import { consoleUser } from './console-user.ts';
import { allUsage, COMMON_HELP, usageOf, usageText } from './help.ts';
import { machineUsage } from './machine-usage.ts';
import { type Parsed, parseCommand, UsageError } from './parse.ts';
import { replacedBy, spelledOut } from './spelling.ts';
import type { Said } from './text/text.ts';

/** Wrong command line (EX_USAGE of sysexits). */
const EX_USAGE = 64;
/** The database has another version (EX_UNAVAILABLE). */
const EX_UNAVAILABLE = 69;

type OfflineHandler = (work: OfflineWork, asked: { input: Record<string, unknown> }) => Promise<unknown>;

/** Output of a command, and its questions: `ask` answers false without a terminal. */
export type Terminal = {
  ask(question: string): Promise<boolean>;
  out(text: string): void;
  err(text: string): void;
};

/**
 * Runs the command named by `args` with the settings of `env`.
 *
 * @param openJobs opens the job queue; tests pass theirs
 * @returns exit code: 0 done, 1 failed or action needed, 64 wrong command line, 69 database of
 *   another version
 */
export async function runShopCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  openJobs: StaffDeps['openJobs'] = startJobs,
): Promise<number> {
  const [area = '', verb = '', ...words] = spelledOut(args);
  const operation = operationOf(area, verb);
  if (!operation) return unknownCommand(args, area, terminal);
  const usage = usageText([usageOf(area, verb, operation)]);
  try {
    const replaced = replacedBy(args, () => readCommandEnv(env).SALE_COUNTRY);
    if (replaced) throw new Error(replaced);
    const parsed = await parseCommand(operation, words);
    if (parsed.help) {
      terminal.out(`${usage}\n${COMMON_HELP}`);
      return 0;
    }
    const command = await commandOf(area as Area, verb);
    const { says, bad } = await run(command, parsed, env, terminal, openJobs);
    terminal.out(`${says}\n`);
    return bad ? 1 : 0;
  } catch (error) {
    return failed(error as Error, usage, terminal);
  }
}

function unknownCommand(args: readonly string[], area: string, { out, err }: Terminal): number {
  const all = [...allUsage(), ...machineUsage];
  const [first = ''] = args;
  const wantsHelp = first === 'help' || args.includes('--help');
  const ofArea = all.filter(usage => usage.area === area);
  const shown = ofArea.length > 0 ? ofArea : all;
  const text = `Commands:\n${usageText(shown, ofArea.length === 1)}\n${COMMON_HELP}`;
  if (wantsHelp) {
    out(text);
    return 0;
  }
  const named = ofArea.length > 0 ? args.slice(0, 2).join(' ') : first;
  err(`${named ? `${named} is not a command.\n` : ''}${text}`);
  return EX_USAGE;
}

function failed(error: Error, usage: string, { err }: Terminal): number {
  const wrong = error instanceof UsageError;
  const said = isDatabaseGone(error)
    ? `The database does not answer (${error.message}). The embedded database runs with the shop: npm start. For your own, check DATABASE_URL.`
    : error.message;
  err(`${said}\n${wrong ? usage : ''}`);
  if (wrong) return EX_USAGE;
  return error instanceof NotMigrated ? EX_UNAVAILABLE : 1;
}

async function run(
  command: Command,
  parsed: Parsed,
  source: NodeJS.ProcessEnv,
  terminal: Terminal,
  openJobs: StaffDeps['openJobs'],
): Promise<Said> {
  // Progress is no part of the JSON.
  const say = (line: string) => (parsed.json ? terminal.err : terminal.out)(`${line}\n`);
  if (command.operation.offline) {
    const handler = command.handler as unknown as OfflineHandler;
    const data = await handler({ source, say, openJobs, actor: consoleUser(source) }, parsed);
    return shown(command, parsed, command.operation.data.parse(data));
  }
  const env = readCommandEnv(source);
  await checkMigrated(env.DATABASE_URL);
  const { db, close } = openDatabase(env.DATABASE_APP_URL);
  const deps: StaffDeps = { db, env, source, say, openJobs };
  try {
    return await asApplication(() => answered(deps, command, parsed, terminal));
  } finally {
    await close();
  }
}

async function answered(
  deps: StaffDeps,
  command: Command,
  parsed: Parsed,
  terminal: Terminal,
): Promise<Said> {
  const actor = consoleUser(deps.source);
  const { input, reason, json, yes, confirm } = parsed;
  const call = (preview?: string) => runOperation(deps, command, actor, { input, reason, preview });
  const outcome = await call(confirm);
  if ('nothing' in outcome)
    return { says: json ? jsonText({ nothing: outcome.nothing }) : outcome.nothing, bad: false };
  if ('data' in outcome) return shown(command, parsed, outcome.data);
  const { preview, plan, expiresAt } = outcome;
  const planned = command.plan!(plan, input);
  const plannedText = typeof planned === 'string' ? planned : planned.says;
  // Before the progress of what it plans.
  if (yes && !json) terminal.out(`${plannedText}\n`);
  if (yes || (!json && (await terminal.ask(`${plannedText}\nDo this now?`)))) {
    const done = await call(preview);
    return shown(command, parsed, 'data' in done ? done.data : done);
  }
  const { unattended } = command.operation;
  const how = unattended ? 'without being asked: --yes, or with: ' : ', run the same command with: ';
  return {
    says: json
      ? jsonText({ preview, expiresAt, plan })
      : `${plannedText}\nNothing was changed. To do it${unattended ? ' ' : ''}${how}--confirm ${preview}`,
    // A script that expects it to be done must not go on.
    bad: unattended === true,
  };
}

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

async function shown({ done, operation }: Command, parsed: Parsed, data: unknown): Promise<Said> {
  const answer = await saved(operation, parsed, data);
  const text = done(answer, parsed.input);
  const said = typeof text === 'string' ? { says: text, bad: false } : text;
  return parsed.json ? { ...said, says: jsonText(answer) } : said;
}

/** Writes the file of an answer. It may name customers, so only its owner may read it. */
async function saved({ download }: Operation, { output }: Parsed, data: unknown): Promise<unknown> {
  if (!download) return data;
  const { content, ...rest } = data as { name: string; content: string | AsyncIterable<Uint8Array> };
  const name = output ?? rest.name;
  await writeFile(name, content, { mode: 0o600 });
  return { ...rest, name };
}
