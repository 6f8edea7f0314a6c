import { readdir } from 'node:fs/promises';
import { compareAgents } from '@fixpoint/domain/host/agent-version.ts';
import { VERSION } from '../database/nodes.ts';

/**
 * Version of the newest agent that the operator can install: of the packages in a folder, or of this release while none is
 * built.
 */
export async function newestAgent(folder: string): Promise<string> {
  const files = await readdir(folder).catch(() => []);
  const versions = files.flatMap(file => /^fixpoint-agent_(.+)_\w+\.deb$/.exec(file)?.[1] ?? []);
  return versions.reduce(
    (newest, version) => ((compareAgents(version, newest) ?? 0) > 0 ? version : newest),
    VERSION,
  );
}
