// `npm run release` builds the packages of a release (docs/contribute/release.md).
import { install, runOnNode24 } from './install.mjs';

await install();
await runOnNode24('scripts/release.ts', process.argv.slice(2));
