import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { connectCustomer } from './customer.ts';
import { regions } from './namespaces.ts';
import { whyNot } from './region.ts';

const USAGE = 'usage: npm run demo -- connect FILE.ovpn [--id DEMO_ID] [--once]';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Returns the region to connect in: the named one, the caller's own, or the only running one. */
async function chooseRegion(named: string | undefined, own: string): Promise<string> {
  const all = await regions();
  if (named) {
    if (!all.includes(named)) throw new Error(`no demo region "${named}" runs here`);
    return named;
  }
  if (all.length === 0) throw new Error('no demo region runs here. Start one as root on Linux:\nnpm start');
  if (all.includes(own)) return own;
  if (all.length > 1)
    throw new Error(`several demo regions run here. Choose one with --id: ${all.join(', ')}`);
  return all[0]!;
}

async function connect(args: string[], own: string): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { id: { type: 'string' }, once: { type: 'boolean', default: false } },
  });
  // Accepts `connect FILE` and `FILE`.
  const file = positionals.filter(word => word !== 'connect')[0];
  if (!file) throw new Error(USAGE);
  const reason = await whyNot();
  if (reason) throw new Error(`the demo region ${reason}`);
  const id = await chooseRegion(values.id, own);
  const customer = await connectCustomer({ region: { id }, profile: await readFile(file, 'utf8') });
  try {
    say(`connected: this customer's own address is ${customer.address}`);
    say(`the internet sees ${await customer.seenAddress()}`);
    if (values.once) return;
    say('Press Ctrl-C to end the connection');
    await new Promise(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
    });
  } finally {
    await customer.stop();
  }
}

/**
 * `npm run demo -- connect FILE.ovpn [--id DEMO_ID] [--once]`: connects like a customer on the demo
 * internet, and exits the process.
 * @param own region of the caller
 */
export const connectAndExit = (args: string[], own: string): Promise<never> =>
  connect(args, own).then(
    () => process.exit(0),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    },
  );
