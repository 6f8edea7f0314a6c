// `npm run bench -- NAME` runs a benchmark of bench/.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, root, runOnNode24 } from './install.mjs';

const [name, ...args] = process.argv.slice(2);
const names = readdirSync(join(root, 'bench'))
  .filter(file => file.endsWith('.ts'))
  .map(file => file.slice(0, -3));
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(64);
}
await install();
await runOnNode24(`bench/${name}.ts`, args);
