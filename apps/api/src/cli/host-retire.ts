import { liveBus } from '../adapters/postgres-bus.ts';
import { retireHost } from '../modules/provisioning/index.ts';
import { type Command, readArgs } from './command.ts';

export const hostRetire: Command = {
  usage: [
    {
      form: 'host-retire --host ID',
      does: 'takes a VPN host out of service: its certificate opens nothing any more, and it gets nobody',
    },
  ],
  async run({ db }, args) {
    const host = readArgs(args, ['host']).option('host');
    const runs = await retireHost({ db, live: liveBus }, host);
    return `${host} is retired. Subscriptions that are on it: ${runs}`;
  },
};
