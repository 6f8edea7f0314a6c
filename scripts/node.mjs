// `npm run node -- api|worker|all`: one more node of the shop that runs already, in this process.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/node.ts', process.argv.slice(2));
