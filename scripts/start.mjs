// `npm start` and `npm run dev` install missing packages, then run the shop on Node 24.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/run.ts', process.argv.slice(2));
