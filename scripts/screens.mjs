// `npm run screens` writes a screenshot of every screen to .cache/screens.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('e2e/pictures.ts', process.argv.slice(2));
