import { basename, dirname, join } from 'node:path';
import type { Machine } from '../setup/machine.ts';
import { SETTINGS, settingsIn } from '../setup/settings-file.ts';
import { checkSum, downloadBeside, must } from './release.ts';

/** Where the shop serves them to hosts, if the settings name no other folder. */
const AGENTS = '/var/lib/fixpoint/agents';

/** A release whose signature was checked. `url`: where it was downloaded from. */
type Release = { file: string; listed: ReadonlyMap<string, string>; url?: string };

/**
 * The agent's packages of a release. Those that were not copied together with the shop's are named, and left out.
 * @throws Refused for one that the release does not list so
 */
export async function agentsOf(machine: Machine, { file, listed, url }: Release): Promise<string[]> {
  const found: string[] = [];
  for (const name of listed.keys()) {
    if (!/^fixpoint-agent_[\w.+~-]+_(amd64|arm64)\.deb$/.test(name)) continue;
    const agent = join(dirname(file), name);
    if (url) await downloadBeside(machine, url, name);
    else if ((await machine.run('test', ['-f', agent])).code !== 0) {
      machine.say(
        `${name} of the release is not beside ${file}: hosts go on getting the agent that they get.`,
      );
      continue;
    }
    await checkSum(machine, agent, listed);
    found.push(agent);
  }
  return found;
}

/**
 * Copies the agent's packages to where the shop serves them: the line of `host add` names the newest.
 * @returns their names
 * @throws Refused
 */
export async function serveAgents(machine: Machine, agents: readonly string[]): Promise<string[]> {
  const { AGENT_PACKAGES_DIR: folder = AGENTS } = settingsIn((await machine.read(SETTINGS)) ?? '');
  const names = agents.map(agent => basename(agent));
  if (names.length > 0) await must(machine, folder, 'install', '--directory', '--mode=0755', folder);
  for (const agent of agents) {
    const copy = join(folder, basename(agent));
    // The shop must not serve half a package.
    await must(machine, `${agent} is not copied`, 'install', '--mode=0644', agent, `${copy}.new`);
    await must(machine, `${agent} is not copied`, 'mv', `${copy}.new`, copy);
  }
  if (names.length > 0)
    machine.say(
      `Hosts get the agent of this release (${names.join(', ')}). To upgrade them: docs/operate/upgrade.md`,
    );
  return names;
}
