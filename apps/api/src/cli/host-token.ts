import { openMasterKey } from '../adapters/master-key.ts';
import { liveBus } from '../adapters/postgres-bus.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createVaultSigner } from '../adapters/vault-signer.ts';
import { newHostToken } from '../modules/provisioning/index.ts';
import { createVault } from '../secrets.ts';
import { type Command, readArgs } from './command.ts';

export const hostToken: Command = {
  usage: [
    {
      form: 'host-token --host ID --provider ID --region ID --vendor ID --address-pool A.B.C.0/24 [--dns A.B.C.D[,…]]',
      does: 'names a VPN host and prints a one-time enrolment token for its agent (15 minutes)',
    },
  ],
  async run({ db, env }, args) {
    const { option, optional } = readArgs(args, [
      'host',
      'provider',
      'region',
      'vendor',
      'address-pool',
      'dns',
    ]);
    const host = {
      id: option('host'),
      providerId: option('provider'),
      regionId: option('region'),
      vendorId: option('vendor'),
      addressPool: option('address-pool'),
      dns: optional('dns')?.split(','),
    };
    const signer = createVaultSigner(createVault(await openMasterKey(db, env.MASTER_KEY_FILE)));
    return newHostToken({ db, signer, clock: systemClock, live: liveBus }, host);
  },
};
