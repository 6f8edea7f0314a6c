// `npm run build-agent`: the agent of a VPN host as a Debian package (apps/agent/README.md).
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/build-agent.ts', process.argv.slice(2));
