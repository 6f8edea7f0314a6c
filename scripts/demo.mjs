// `npm run demo -- connect FILE.ovpn` connects a customer's device on this machine to the demo region.
import { install, runOnNode24 } from './install.mjs';

const [command, ...args] = process.argv.slice(2);
if (command !== 'connect') {
  console.error('Usage: npm run demo -- connect FILE.ovpn');
  process.exit(64);
}
await install();
await runOnNode24('scripts/demo.ts', args);
