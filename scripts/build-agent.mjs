// `npm run build-agent` builds the Debian package of the VPN host agent (apps/agent/README.md).
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/build-agent.ts', process.argv.slice(2));
