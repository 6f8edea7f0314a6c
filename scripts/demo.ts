import { givenEnv, readSettings } from '@fixpoint/dev-stack/env.ts';
import { connectAndExit } from '@fixpoint/sandbox/internet/connect.ts';
import { regionOf } from '@fixpoint/sandbox/internet/env.ts';

// In the region that `npm start` of this checkout and DATA_DIR runs, unless another is named.
await connectAndExit(process.argv.slice(2), regionOf(readSettings(givenEnv()).dataDir));
