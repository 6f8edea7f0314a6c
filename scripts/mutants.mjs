// `npm run mutants -- [AREA …] [--since REF]`: whether a test notices when a rule is changed.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/mutants.ts', process.argv.slice(2));
