import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { StartError } from '@fixpoint/dev-stack/child.ts';
import { installMissing } from '@fixpoint/dev-stack/debian.ts';
import {
  envFileProblems,
  envFileWarnings,
  givenEnv,
  readSettings,
  type Settings,
  SettingsError,
} from '@fixpoint/dev-stack/env.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { regionPackages } from '@fixpoint/dev-stack/region.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { startWarnings } from '@fixpoint/dev-stack/start-warnings.ts';
import { DataDirError, waysOut } from '@fixpoint/postgres/cluster.ts';

/** EX_CONFIG of sysexits.h: who supervises the shop need not try again. */
const CONFIGURATION = 78;

/** `npm start` and `npm run dev` (`--watch`), once everything is installed. */
async function main(): Promise<void> {
  const values = options();
  if (values.help) return say(USAGE);
  const stop = stopOnSignals();
  const settings = readSettings(givenEnv(), envFileProblems());
  for (const warning of envFileWarnings()) say(warning);
  await checkDataDir(settings.dataDir);
  for (const warning of startWarnings(settings, process.getuid?.())) say(warning);
  if (!settings.realProviders && !settings.noInstall) await installMissing(regionPackages, say);
  const stack = values.watch ? await develop(settings) : await start(settings);
  stop.with(stack);
  say(summary(stack, settings));
}

async function start(settings: Settings): Promise<Stack> {
  const web = buildWeb(say).then(built => {
    if (built === 'absent')
      say('There is no web client in this checkout yet (apps/web/index.html): only the API runs.');
  });
  say('Starting …');
  return startStack({
    dataDir: settings.dataDir,
    env: { PORT: '8080', ...settings.env },
    region: !settings.realProviders,
    prerequisite: web,
    show: say,
  });
}

/** Loads the development tools only when they are needed. */
async function develop(settings: Settings): Promise<Stack> {
  say('Starting …');
  const { startDevelopment } = await import('./develop.ts');
  return startDevelopment(settings, say);
}

const USAGE = `Usage: npm start                  builds and starts the shop; Ctrl-C stops it
       npm run dev                the same, and shows every change at once
       npm run shop -- COMMAND    runs an operator's command on the running shop
Settings come from the environment or from .env: docs/operate/reference.md and .env.example list them.`;

function options() {
  try {
    const { values } = parseArgs({
      options: { watch: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
    });
    return values;
  } catch (error) {
    throw new SettingsError(`${(error as Error).message.split('. ')[0]}.\n${USAGE}`);
  }
}

/** The first signal stops everything in order; a second one exits at once. */
function stopOnSignals(): { with(stack: Stack): void } {
  let stack: Stack | undefined;
  let since: number | undefined;
  const end = () => {
    if (since !== undefined) {
      // The terminal and npm may both deliver the first signal.
      if (performance.now() - since > 1_000) process.exit(1);
      return;
    }
    since = performance.now();
    if (!stack) process.exit(0);
    say('Stopping …');
    stack.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.once('disconnect', end);
  // A closed terminal must not interrupt an orderly stop.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return {
    with(started) {
      stack = started;
    },
  };
}

/** @throws DataDirError, or an error of the file system, when this user cannot write the data folder or a file in it */
async function checkDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const probe = join(dataDir, '.probe');
  await writeFile(probe, '.').catch((error: NodeJS.ErrnoException) => {
    // The loop below says whose it is.
    if (error.code !== 'EACCES') throw error;
  });
  await rm(probe, { force: true }).catch(() => {});
  for (const name of ['.', ...(await readdir(dataDir).catch(() => []))]) {
    await access(join(dataDir, name), 6 /* R_OK | W_OK */).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EACCES') return;
      throw new DataDirError(
        `${join(dataDir, name)} belongs to another user: ${dataDir} was first used by root or somebody else. ${waysOut(dataDir)}`,
      );
    });
  }
}

function summary({ publicUrl, sandbox, region }: Stack, { dataDir, env }: Settings): string {
  const lines = [
    ['Shop', env.ROLE === 'worker' ? 'other nodes serve it; this one runs jobs' : publicUrl],
    ...(sandbox
      ? [
          ['API reference', `${publicUrl}/docs`],
          ['Mail sandbox', sandbox.mailUrl],
          ['Sandbox', `${sandbox.url} (test cards and more)`],
          ['Demo region', regionState(region)],
        ]
      : []),
    ['Data and logs', dataDir],
    ['Stop', 'Ctrl-C; the data stays'],
  ];
  return `\n${lines.map(([name, value]) => `  ${`${name}:`.padEnd(15)} ${value}`).join('\n')}\n`;
}

function regionState(region: Stack['region']): string {
  if ('obstacle' in region) return `does not run: ${region.obstacle}`;
  return 'runs; try: npm run demo -- connect FILE.ovpn';
}

function say(line: string): void {
  console.log(line);
}

main().catch(error => {
  console.error(`\n${operatorMessage(error) ?? (error as Error).stack}\n`);
  const wrong =
    error instanceof SettingsError || (error instanceof StartError && error.exitCode === CONFIGURATION);
  process.exit(wrong ? CONFIGURATION : 1);
});
