// `npm run agent`: the agent of a VPN host, on Node 24 (AGENT_SHOP and AGENT_TOKEN: apps/agent/README.md).
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('apps/agent/src/main.ts', process.argv.slice(2));
