import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import { type Shop, startShop } from './compose/shop.ts';
import { givenSettings, readEnvWhenComplete } from './env/env.ts';
import { misspeltSettings } from './env/env-file.ts';
import { OperatorFault, PassingFault } from './kernel/operator-fault.ts';
import { createLogger } from './log/logger.ts';

/** Exit codes of sysexits.h: a supervisor need not try again after a wrong configuration, but after a passing fault. */
const EX = { config: 78, tempfail: 75 };

try {
  const env = await readEnvWhenComplete();
  let shop: Shop | undefined;
  // Before the start: a process that is stopped meanwhile must not wait for a database that is down.
  exitWithParent(async () => shop?.close());
  const log = createLogger(env.LOG_LEVEL);
  for (const warning of misspeltSettings(givenSettings())) log.warn(warning);
  shop = await startShop(env, log);
} catch (error) {
  const forOperator = error instanceof OperatorFault;
  process.stderr.write(`${forOperator ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exit(error instanceof PassingFault ? EX.tempfail : forOperator ? EX.config : 1);
}
