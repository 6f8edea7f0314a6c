import { givenEnv, readSettings } from '@fixpoint/dev-stack/env.ts';
import { connectAndExit } from '@fixpoint/sandbox/internet/connect.ts';
import { regionOf } from '@fixpoint/sandbox/internet/env.ts';

// Uses the region of this checkout's `npm start` with this DATA_DIR, unless the arguments name another.
await connectAndExit(process.argv.slice(2), regionOf(readSettings(givenEnv()).dataDir));
