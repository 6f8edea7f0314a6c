import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { packageAgent } from './agent-package.ts';

try {
  const { values } = parseArgs({ options: { arch: { type: 'string' } } });
  console.log(await packageAgent(join(root, 'apps/agent/dist'), values.arch));
} catch (error) {
  console.error(operatorMessage(error) ?? (error as Error).message);
  process.exit(1);
}
