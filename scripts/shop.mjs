// `npm run shop -- COMMAND` runs an operator's command (maintenance, texts, VPN hosts) on the shop of this checkout.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/shop.ts', process.argv.slice(2));
