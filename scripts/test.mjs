// `npm test`, `npm run check` (`--checks`), `npm run test:all` (`--all`): installs what is missing, then runs it on Node 24.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/test.ts', process.argv.slice(2));
