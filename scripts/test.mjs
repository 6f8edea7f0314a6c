// `npm test`, `npm run check` (`--checks`) and `npm run test:all` (`--all`) install missing packages, then run on Node 24.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/test.ts', process.argv.slice(2));
