import { readEnv } from './env.ts';
import { startSandbox } from './start.ts';

try {
  const sandbox = await startSandbox(readEnv(process.env));
  console.log(JSON.stringify({ ready: true, url: sandbox.url, smtp: sandbox.smtpUrl }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => sandbox.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
