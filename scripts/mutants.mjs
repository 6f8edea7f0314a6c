// `npm run mutants -- [AREA …] [--since REF]` runs mutation tests.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/mutants.ts', process.argv.slice(2));
