import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from '@fixpoint/dev-stack/build-web.ts';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { regionObstacle } from '@fixpoint/dev-stack/region.ts';
import { beforeAll, describe, expect, test } from 'vitest';

/**
 * Benchmarks without a test of their own run here in their shortest form: the figures mean nothing, but each still measures
 * what it prints. A missed goal (exit code 1) is no failure here.
 */
const tried: Record<string, { args: string[]; prints: RegExp; obstacle?: string }> = {
  calls: {
    args: ['--seconds', '0.05', '--rounds', '1', '--customers', '1', '--purchases', '1'],
    prints: /^mySubscription[\s\S]+^login[\s\S]+^purchase +[\d.]+ \/s/m,
  },
  fill: { args: ['100'], prints: /s in all, for 100 customers/ },
  fleet: {
    args: ['5', '50', '--changes', '4', '--rest', '1'],
    prints: /^added key at its host +p50[\s\S]+^while changing +API/m,
  },
  host: {
    args: ['3'],
    prints: /^all up +[\d.]+ s[\s\S]+^openvpn +3 processes/m,
    obstacle: regionObstacle(root, 'sudo npm test'),
  },
  lists: {
    args: ['2', '1'],
    prints: /^subscriptions +median[\s\S]+^goal each first page within 100 ms, for 10 invoices/m,
  },
  memory: { args: ['0'], prints: /^shop with database \d+ MiB/m },
  renewals: {
    args: ['20'],
    prints:
      /each renewed and charged exactly once; the books balance[\s\S]+ bounded memory$[\s\S]+^gateway +at most \d+ calls/m,
  },
  staff: {
    args: ['100', '1'],
    prints:
      /^email address +median[\s\S]+^export of a month +median[\s\S]+^close +median[\s\S]+^goal each search within 50 ms, the page and each command within 200 ms, for 100 customers/m,
  },
  start: { args: ['1'], prints: /^second start +[\d.]+ s/m },
  throughput: {
    args: ['1', '2'],
    prints: /^download +\d+ Mbit\/s, plain OpenVPN +\d+: [\s\S]+^upload +\d+ Mbit\/s/m,
    obstacle: regionObstacle(root, 'sudo npm test'),
  },
  'time-to-tunnel': {
    args: ['1'],
    prints: /^reached +median \d+ ms/m,
    obstacle: regionObstacle(root, 'sudo npm test'),
  },
};

/** Long benchmarks that repeat what a test does: they are only loaded, and the test must exist. */
const testedElsewhere: Record<string, string> = {
  attacks: 'apps/api/test/http/attacks.timing.test.ts',
  chaos: 'e2e/chaos/nodes-load-test.server.soak.test.ts',
  lighthouse: 'e2e/journeys/speed.spec.ts',
  money: 'apps/api/test/payment/money-under-load.server.soak.test.ts',
  plans: 'apps/api/test/database/size.server.soak.test.ts',
};

interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

function bench(name: string, ...args: string[]): Promise<Output> {
  const env = { ...basicEnv(), NO_INSTALL: '1' };
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [join(root, 'bench', `${name}.ts`), ...args],
      { env, timeout: 200_000 },
      (error, stdout, stderr) => resolve({ code: error ? 1 : 0, stdout, stderr }),
    );
  });
}

beforeAll(() => buildWeb(() => {}));

test('FO4 every benchmark is tested here', () => {
  const names = readdirSync(join(root, 'bench')).flatMap(file => /^(.+)\.ts$/.exec(file)?.[1] ?? []);
  expect([...Object.keys(tried), ...Object.keys(testedElsewhere)].sort()).toEqual(names.sort());
});

// The figures mean nothing here, so the benchmarks may run beside each other.
describe.concurrent('FO4', () => {
  for (const [name, { args, prints, obstacle }] of Object.entries(tried)) {
    const title = `${name} prints what it measures`;
    test.skipIf(obstacle)(obstacle ? `${title} (${obstacle})` : title, async () => {
      const { stdout, stderr } = await bench(name, ...args);
      expect(stdout, stderr).toMatch(prints);
    });
  }

  test('an unknown argument prints the usage', async () => {
    const asked = [bench('money', '--rounds', '3'), bench('fill', '10', 'folder', 'more')];
    for (const { code, stdout, stderr } of await Promise.all(asked)) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^.*(--rounds|more).*\nUsage: npm run bench -- (money|fill) .*\n$/);
    }
  });

  for (const [name, file] of Object.entries(testedElsewhere)) {
    test(`${name} loads, and ${file} tests what it measures`, async () => {
      expect(existsSync(join(root, file))).toBe(true);
      const { code, stdout, stderr } = await bench(name, '--help');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`npm run bench -- ${name}`);
    });
  }
});
