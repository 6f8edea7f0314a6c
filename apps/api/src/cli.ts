import { parseArgs } from 'node:util';
import { openDatabase } from './adapters/database/database.ts';
import { migrate } from './adapters/database/migrate.ts';
import { systemClock } from './adapters/system-clock.ts';
import { createVaultSigner } from './adapters/vault-signer.ts';
import { readEnv } from './env.ts';
import { newHostToken } from './modules/provisioning/index.ts';
import { setMaintenance } from './modules/text/index.ts';
import { createVault, masterKey } from './secrets.ts';

const USAGE = `Commands:
  host-token --host ID --provider ID --region ID --vendor ID --address-pool A.B.C.0/24 [--dns A.B.C.D]
      names a VPN host and prints a one-time enrolment token for its agent (15 minutes)
  maintenance on|off
      blocks or allows new purchases
`;

const [command, ...rest] = process.argv.slice(2);
const { values, positionals } = parseArgs({
  args: rest,
  allowPositionals: true,
  options: Object.fromEntries(
    ['host', 'provider', 'region', 'vendor', 'address-pool', 'dns'].map(name => [
      name,
      { type: 'string' as const },
    ]),
  ),
});
const option = (name: string): string => {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`--${name} is missing\n${USAGE}`);
  return value;
};

const env = readEnv();
await migrate(env.DATABASE_URL);
const { db, close } = openDatabase(env.DATABASE_URL, 2);
try {
  if (command === 'host-token') {
    const signer = createVaultSigner(createVault(await masterKey(env.MASTER_KEY_FILE)));
    const token = await newHostToken(
      { db, signer, clock: systemClock },
      {
        id: option('host'),
        providerId: option('provider'),
        regionId: option('region'),
        vendorId: option('vendor'),
        addressPool: option('address-pool'),
        dns: [typeof values.dns === 'string' ? values.dns : '9.9.9.9'],
      },
    );
    process.stdout.write(`${token}\n`);
  } else if (command === 'maintenance' && (positionals[0] === 'on' || positionals[0] === 'off')) {
    await setMaintenance(db, positionals[0] === 'on');
    process.stdout.write(`maintenance is ${positionals[0]}\n`);
  } else {
    process.stderr.write(USAGE);
    process.exitCode = 64;
  }
} finally {
  await close();
}
