// `npm run node -- api|worker|all` runs another node of the running shop in this process.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/node.ts', process.argv.slice(2));
