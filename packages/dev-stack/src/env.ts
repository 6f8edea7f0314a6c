import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvFileError, readEnvFile } from '@fixpoint/api/env/env-file.ts';
import { misspelt } from '@fixpoint/api/env/misspelt.ts';
import { problemsOf } from '@fixpoint/api/env/problems.ts';
import { type DatabaseUrls, type Role, urlSettings } from '@fixpoint/postgres/roles.ts';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Node's compile cache; `install.mjs` names the same folder. */
export const compileCache = join(root, 'node_modules', '.cache', 'node');

/** Settings of real gateways and mail server: all or none, because half would take money and send no email. */
const providerNames = ['STRIPE_SECRET', 'STRIPE_PUB', 'STRIPE_WEBHOOK_SECRETS', 'SMTP_URL'] as const;

/** Settings that `npm start` and `npm test` read themselves. */
export const startSettings = {
  NO_INSTALL: {
    meaning:
      '1: never install Debian packages (openvpn, iproute2, nftables, conntrack; for tests and screenshots also a browser).',
    example: '1',
  },
};

/** Settings that `npm start` reads from the environment; `env` has all of them, for the API. */
export interface Settings {
  port: number;
  host: string;
  publicUrl: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrls: DatabaseUrls | undefined;
  /** False: the sandbox replaces payment gateways and mail server. */
  realProviders: boolean;
  /** Never install system packages. */
  noInstall: boolean;
  env: Record<string, string>;
}

/** Wrong or missing settings, all at once; the message is for the operator. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The environment, which overrides `.env` in the checkout. Empty values count as absent. */
export function givenEnv(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const given = { ...envFile(), ...source };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => !!entry[1]));
}

/** Sets environment variables of this process. */
export const extendEnv = (env: Record<string, string>): void => void Object.assign(process.env, env);

/** The part of the environment that any program needs, without settings of the shop. */
export function basicEnv(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'TMPDIR',
    'LANG',
    'NO_COLOR',
    'FORCE_COLOR',
    'CI',
    'FIXPOINT_RUN',
    'FIXPOINT_TEST_ALL',
  ];
  const given = Object.entries(givenEnv()).filter(([name]) => names.includes(name));
  return { NODE_COMPILE_CACHE: compileCache, ...Object.fromEntries(given) };
}

/** Enables the tests of `npm run test:all` in this process and its children (`testkit/src/test-gate.ts`). */
export function testEverything(): void {
  process.env.FIXPOINT_TEST_ALL = '1';
}

const ENV_FILE = join(root, '.env');

function envFile(): NodeJS.Dict<string> {
  try {
    return readEnvFile(ENV_FILE).values;
  } catch (error) {
    throw error instanceof EnvFileError ? new SettingsError(error.message) : error;
  }
}

/** Settings of this start that `.env` may cut, one line each. The environment overrides the file. */
export const envFileProblems = (source: NodeJS.ProcessEnv = process.env): string[] =>
  readEnvFile(ENV_FILE).problems.filter(line => !source[settingOf(line)]);

/** Warnings about names in `.env` that nobody reads. */
export const envFileWarnings = (): string[] =>
  misspelt(Object.keys(readEnvFile(ENV_FILE).values), Object.keys(startSettings)).map(
    line => `Warning: .env: ${line}`,
  );

/**
 * Validates the settings of a start. Relative paths are relative to the checkout.
 *
 * @param problems that are known already, one line each
 * @throws SettingsError that names every problem
 */
export function readSettings(env: Record<string, string>, problems: readonly string[] = []): Settings {
  const wrong = [...problems];
  const port = Number(env.PORT ?? 8080);
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    wrong.push(`PORT: ${env.PORT} is not a port (0 to 65535; 0 = any free one). Example: PORT=8080`);
  }
  const host = env.HOST ?? '127.0.0.1';
  if (!/^[\w.:-]+$/.test(host)) wrong.push(`HOST: ${host} is not an address to listen on`);
  const databaseUrls = readDatabaseUrls(env, wrong);
  const missing = providerNames.filter(name => !env[name]);
  const realProviders = missing.length < providerNames.length;
  if (realProviders) {
    const given = providerNames.filter(name => env[name]).join(', ');
    for (const name of missing) {
      wrong.push(`${name}: is missing, but ${given} is set (set all of them, or none to use the sandbox)`);
    }
  }
  wrong.push(...problemsForApi(env, wrong.map(settingOf), realProviders));
  if (wrong.length > 0) throw new SettingsError(listed(wrong));
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
  return {
    port,
    host,
    publicUrl,
    databaseUrls,
    realProviders,
    env,
    dataDir: resolve(root, env.DATA_DIR ?? 'data'),
    noInstall: env.NO_INSTALL === '1' || env.NO_INSTALL === 'true',
  };
}

/** Settings that the stack knows later, or that the sandbox has. */
const KNOWN_LATER = {
  database: 'postgresql:///later',
  sandbox: {
    STRIPE_SECRET: 'sk_test_later',
    STRIPE_PUB: 'pk_test_later',
    STRIPE_WEBHOOK_SECRETS: 'whsec_later',
    STRIPE_API_HOST: '127.0.0.1',
    SMTP_URL: 'smtp://127.0.0.1',
  },
};

/** Problems that the API would find in these settings, so that the operator reads all at once. */
function problemsForApi(
  env: Record<string, string>,
  known: readonly string[],
  realProviders: boolean,
): string[] {
  const database = Object.fromEntries(
    Object.values(urlSettings).map(name => [name, env[name] ?? KNOWN_LATER.database]),
  );
  const sandbox = realProviders ? {} : KNOWN_LATER.sandbox;
  return problemsOf({ NODE_ENV: 'production', ...sandbox, ...env, ...database }).filter(
    line => !known.includes(settingOf(line)),
  );
}

/** The setting at the beginning of a problem's line. */
const settingOf = (line: string): string => /^\w*/.exec(line)![0];

/** The URLs of the operator's own database: all or none, because each role has its own rights. */
function readDatabaseUrls(env: Record<string, string>, wrong: string[]): DatabaseUrls | undefined {
  const names = Object.entries(urlSettings) as [Role, string][];
  const given = names.filter(([, name]) => env[name]);
  if (given.length === 0) return undefined;
  for (const [, name] of given) {
    if (!/^postgres(ql)?:\/\//.test(env[name]!))
      wrong.push(`${name}: must begin with postgresql:// (leave it out for the embedded PostgreSQL)`);
  }
  const missing = names.filter(([, name]) => !env[name]).map(([, name]) => name);
  if (missing.length > 0) {
    const is = missing.length > 1 ? 'are' : 'is';
    wrong.push(
      `${missing.join(', ')}: ${is} missing; npm run shop -- database prepare ADMIN_URL creates the four roles and prints all four`,
    );
  }
  return Object.fromEntries(names.map(([role, name]) => [role, env[name]])) as DatabaseUrls;
}

function listed(wrong: string[]): string {
  return `Wrong or missing in the environment or .env:\n${wrong.map(line => `  ${line}`).join('\n')}`;
}
