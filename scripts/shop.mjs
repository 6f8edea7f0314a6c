// `npm run shop -- COMMAND`: the operator's commands (maintenance, own texts, VPN hosts) on the shop of this checkout.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/shop.ts', process.argv.slice(2));
