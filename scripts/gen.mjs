// `npm run gen` writes generated files; `-- docs` and `-- tables` write a part of them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, root, runOnNode24 } from './install.mjs';

const given = process.argv.slice(2);
const [name = 'all'] = given;
const names = readdirSync(join(root, 'scripts')).flatMap(file => /^gen-(\w+)\.ts$/.exec(file)?.[1] ?? []);
if (!names.includes(name)) {
  console.error(`Usage: npm run gen [-- ${names.join(' | ')} [--check]]`);
  process.exit(64);
}
await install();
await runOnNode24(`scripts/gen-${name}.ts`, given.slice(1));
