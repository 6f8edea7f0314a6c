import { join } from 'node:path';
import { packageAgent } from './agent-package.ts';
import { root } from './env.ts';
import { sentenceOf } from './sentence-of.ts';

try {
  console.log(await packageAgent(join(root, 'apps/agent/dist')));
} catch (error) {
  console.error(sentenceOf(error));
  process.exit(1);
}
