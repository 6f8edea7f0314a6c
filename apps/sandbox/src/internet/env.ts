import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ID_RULE } from './namespaces.ts';

export type RegionEnv = { id: string; dataDir: string; agentSocket: string; agentToken?: string };

/**
 * Returns the region id of a data folder, so that several starts on one machine have separate
 * regions.
 */
export const regionOf = (dataDir: string): string =>
  createHash('sha256').update(dataDir).digest('hex').slice(0, 6);

/** Reads the settings of the demo region. @throws Error that names every invalid value */
export function readRegionEnv(env: NodeJS.ProcessEnv = process.env): RegionEnv {
  const wrong: string[] = [];
  const id = env.DEMO_ID || 'demo';
  if (!ID_RULE.test(id)) wrong.push('DEMO_ID must be 1 to 6 lower-case letters and digits');
  if (!env.DATA_DIR) wrong.push('DATA_DIR is missing');
  if (!env.AGENT_SOCKET) wrong.push('AGENT_SOCKET is missing');
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return {
    id,
    dataDir: resolve(env.DATA_DIR!),
    agentSocket: resolve(env.AGENT_SOCKET!),
    agentToken: env.AGENT_TOKEN || undefined,
  };
}
