import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { enrolmentToken } from '@fixpoint/dev-stack/region.ts';
import type { Stack } from '@fixpoint/dev-stack/stack.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { type FakeHost, startFakeHost } from '@fixpoint/testkit/fake-host.ts';

/** Starts a fake host that reports everything as running, for a stack without the demo region, which needs root. */
export async function startHostWithoutTunnels(stack: Stack, dataDir: string): Promise<FakeHost> {
  const env = { ...basicEnv(), ...databaseSettings(stack.databaseUrls), DATA_DIR: dataDir };
  return startFakeHost({ socketPath: join(dataDir, 'agent.sock') }, await enrolmentToken(root, env));
}
