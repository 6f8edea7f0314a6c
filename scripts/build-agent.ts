import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageAgent } from './agent-package.ts';
import { root } from './env.ts';
import { sentenceOf } from './sentence-of.ts';

try {
  const { values } = parseArgs({ options: { arch: { type: 'string' } } });
  console.log(await packageAgent(join(root, 'apps/agent/dist'), values.arch));
} catch (error) {
  console.error(sentenceOf(error) ?? (error as Error).message);
  process.exit(1);
}
