// `npm run sql -- "SELECT …"` queries the database of the running shop.
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/sql.ts', process.argv.slice(2));
