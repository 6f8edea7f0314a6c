// `npm test`, `npm run check` (`--checks`): installs what is missing, then runs everything on Node 24.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/test.ts', process.argv.slice(2));
