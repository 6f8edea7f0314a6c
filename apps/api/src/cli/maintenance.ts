import { liveBus } from '../adapters/postgres-bus.ts';
import { setMaintenance } from '../modules/text/index.ts';
import { type Command, noMore, UsageError } from './command.ts';

export const maintenance: Command = {
  usage: [
    {
      form: 'maintenance on|off',
      does: 'Blocks or allows new orders and payments. Customers’ pages show it at once, others with their next request.',
    },
  ],
  async run({ db }, args) {
    const [state] = args;
    if (state !== 'on' && state !== 'off') throw new UsageError('Use: maintenance on, or maintenance off');
    noMore(args, 1);
    await setMaintenance(db, liveBus, state === 'on');
    return `maintenance is ${state}`;
  },
};
