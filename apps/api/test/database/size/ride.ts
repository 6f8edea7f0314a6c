import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { liveBus } from '../../../src/adapters/postgres-bus.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { listAlerts, openAlertCounts, openAlertKinds } from '../../../src/modules/alert/index.ts';
import { isUnrelated, markUnrelated } from '../../../src/modules/payment/webhook-event/unrelated-payments.ts';
import { setMaintenance, setText, unsetText } from '../../../src/modules/text/index.ts';
import { connect } from '../../helpers/people.ts';
import { rideAccounts } from './ride-account.ts';
import { rideCustomer } from './ride-customer.ts';
import { rideHosts } from './ride-hosts.ts';
import { ridePurchases } from './ride-purchase.ts';
import { rideRenewals } from './ride-renewal.ts';
import { rideTasks } from './ride-tasks.ts';
import type { Ride } from './riding.ts';

/**
 * Once through the shop: every call, scheduled task and job makes its statements.
 * @param mark another one for each ride
 */
export async function rideThrough(shop: TestShop, mark: string): Promise<void> {
  const { db: app, close } = openDatabase(shop.databaseUrls.app, 2);
  const ride = { shop, app, mark };
  try {
    await hostsAreThere(ride);
    await ridePurchases(ride);
    await rideRenewals(ride);
    await rideHosts(ride);
    await rideAccounts(ride);
    await rideCustomer(ride);
    await rideTasks(ride);
    await rideBeside(ride);
  } finally {
    await close();
  }
}

/** The filler's hosts have said nothing since it began, and the clock has gone on: nobody would be placed on them. */
const hostsAreThere = ({ shop }: Ride) =>
  shop.db.updateTable('host').set({ seen_at: shop.clock.now() }).where('status', '=', 'active').execute();

/** What is no call of a customer: the socket, the operator's commands, the question whether the shop is there. */
async function rideBeside({ shop, app, mark }: Ride): Promise<void> {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, email: `socket-${mark}@example.com`, language: 'en' as const };
  const { token } = await shop.client.order.purchase({ body });
  const socket = await connect(shop.url, token!);
  const answered = new Promise(resolve => socket.once('orderCheck', resolve));
  socket.emit('orderCheck', consent.metadata.split('|').at(-1));
  await answered;
  socket.close();
  await fetch(`${shop.url}/readyz`);
  await setText(app, 'en', 'region.size-07', 'Somewhere');
  await unsetText(app, 'en', 'region.size-07');
  await setMaintenance(app, liveBus, true);
  await setMaintenance(app, liveBus, false);
  await listAlerts(app);
  await openAlertCounts(app);
  await openAlertKinds(app, 'nobodys');
  const foreign = { provider: 'stripe', ref: `pi_foreign_${mark}` } as const;
  await markUnrelated({ db: app, clock: shop.clock, providers: [] }, { ...foreign, reason: 'A test' });
  await isUnrelated(app, foreign.provider, foreign.ref);
}
