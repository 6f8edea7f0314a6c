import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import { readEnv } from './env.ts';
import { startSandbox } from './start.ts';

try {
  const sandbox = await startSandbox(readEnv(process.env));
  console.log(JSON.stringify({ ready: true, url: sandbox.url, smtp: sandbox.smtpUrl }));
  exitWithParent(sandbox.stop);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
