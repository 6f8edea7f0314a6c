import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestShop } from '@fixpoint/testkit/shop.ts';
import { commandEnv, runCommand } from '../helpers/shop-command.ts';

/** A shop that has two versions of the agent's package, and an open port in place of the one for agents. */
export async function startShopWithPackages() {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-line-'));
  const port = createServer(socket => socket.destroy());
  await new Promise<void>(done => port.listen(0, '127.0.0.1', done));
  const packages = join(folder, 'packages');
  await mkdir(packages);
  for (const version of ['0.2.0+20270101000000', '0.2.0+20260101000000'])
    for (const architecture of ['amd64', 'arm64'])
      await writeFile(join(packages, `fixpoint-agent_${version}_${architecture}.deb`), `package ${version}`);
  const agentUrl = `https://127.0.0.1:${(port.address() as AddressInfo).port}`;
  const settings = { AGENT_PACKAGES_DIR: packages, AGENT_URL: agentUrl };
  const shop = await startTestShop(settings);
  let count = 0;
  return {
    folder,
    agentUrl,
    /** Adds a host. @returns what the command prints, the token, and the line to paste, if any */
    async addHost(more: Record<string, string> = {}, ...args: string[]) {
      const place = ['--provider', 'demo', '--region', 'th-bkk', '--vendor', 'fixpoint'];
      const pool = ['--pool', `198.51.100.${16 * count++}/28`];
      const env = { ...commandEnv(shop), ...settings, ...more };
      const host = ['host', 'add', '--host', `line-${count}`];
      const { stdout } = await runCommand(env, ...host, ...place, ...pool, ...args);
      const lines = stdout.trim().split('\n');
      return { stdout, token: lines.at(-1)!, line: lines.find(each => each.startsWith('/usr/lib/apt/')) };
    },
    async stop() {
      await shop.stop();
      port.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
