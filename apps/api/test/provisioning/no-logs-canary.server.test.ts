import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SearchResult } from '@fixpoint/contract/no-logs.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { sendCanary } from '../../src/compose/no-logs/canary.ts';

/** A canary and a host that are scripts: what the command does with their answers. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-canary-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const OWN = '198.51.100.117';
const SERVER = '192.0.2.30';

async function script(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return `bash ${file}`;
}

const send = (ways: { canary: string; host: string }) =>
  sendCanary({ ...ways, profile: '', server: SERVER, port: 80, resolver: '9.9.9.9' }, systemClock);

test('a host whose search takes minutes, because it has many tunnels, does not end the canary', async () => {
  const seen: SearchResult = {
    searchedAt: new Date().toISOString(),
    pauseSeconds: 0,
    files: 0,
    fileBytes: 0,
    processes: 200,
    memoryBytes: 4e9,
    configuration: 'a1'.repeat(32),
    marks: { addresses: [OWN, SERVER], names: ['00ff00ff00ff00ff'] },
    findings: [OWN, SERVER].map(address => ({
      place: 'connections',
      where: 'nf_conntrack',
      what: `the address ${address}, as text`,
    })),
    unread: [],
  };
  const [begun, over] = [join(folder, 'begun'), join(folder, 'over')];
  await promisify(execFile)('mkfifo', [over]);
  await writeFile(join(folder, 'seen'), JSON.stringify(seen));
  const host = await script('host', `cat > /dev/null; touch ${begun}; cat ${over} ${join(folder, 'seen')}`);
  // The parameters are the last six lines of its input, and an empty line sends it away.
  const canary = await script('canary', `echo here ${OWN}; while read -r line; do :; done; echo left`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sent = send({ canary, host });
  await vi.waitUntil(() => existsSync(begun), { timeout: 30_000 });
  vi.advanceTimersByTime(10 * 60_000);
  await writeFile(over, '');
  expect((await sent).marks.addresses).toEqual([OWN, SERVER]);
});

test('a canary that ends without a word is no empty sentence', async () => {
  await expect(send({ canary: 'false', host: 'false' })).rejects.toThrow(
    'Run the command of --canary by hand',
  );
});
