import { parseArgs } from 'node:util';
import { extendEnv, givenEnv, readSettings, SettingsError } from '@fixpoint/dev-stack/env.ts';
import { localUrl } from '@fixpoint/dev-stack/environment.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { nodeEnv } from './running-shop.ts';

/**
 * `npm run node -- api` runs another node in this process, on the database of the running shop, so that a debugger sees it
 * from its first line (docs/contribute/debug.md).
 */
const roles = ['api', 'worker', 'all'] as const;

try {
  const { role, port } = await readArguments();
  const settings = readSettings(givenEnv());
  extendEnv(await nodeEnv(settings, { role, port }));
  const address = role === 'worker' ? '' : ` at ${localUrl({ host: settings.host, port })}`;
  console.log(`Starting another node (${role})${address}. Ctrl-C stops it.`);
} catch (error) {
  console.error(operatorMessage(error) ?? error);
  process.exit(1);
}
await import('../apps/api/src/main.ts');

/** Role from the command line; port 8090, or a free one. */
async function readArguments() {
  const { positionals } = parseArgs({ allowPositionals: true });
  const role = roles.find(each => each === positionals[0]);
  if (!role) throw new SettingsError(`Usage: npm run node -- ${roles.join(' | ')}`);
  return { role, port: await freePort(8090) };
}
