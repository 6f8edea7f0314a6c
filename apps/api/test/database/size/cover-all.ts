import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { liveBus } from '../../../src/adapters/postgres-bus.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { listAlerts, openAlertCounts, openAlertKinds } from '../../../src/modules/alert/index.ts';
import { isUnrelated, markUnrelated } from '../../../src/modules/payment/webhook-event/unrelated-payments.ts';
import { setMaintenance, setText, unsetText } from '../../../src/modules/text/index.ts';
import { connect } from '../../helpers/people.ts';
import { coverAccounts } from './cover-account.ts';
import { coverCustomer } from './cover-customer.ts';
import { coverEmails } from './cover-emails.ts';
import { coverHosts } from './cover-hosts.ts';
import { coverOperation } from './cover-operation.ts';
import { coverPurchases } from './cover-purchase.ts';
import { coverRenewals } from './cover-renewal.ts';
import { coverTasks } from './cover-tasks.ts';
import { coverTeam } from './cover-team.ts';
import type { Coverage } from './coverage.ts';

/**
 * Covers the shop once: every call, scheduled task and job runs its statements.
 * @param mark unique to each run
 */
export async function coverAll(shop: TestShop, mark: string): Promise<void> {
  const { db: app, close } = openDatabase(shop.databaseUrls.app, 2);
  const run = { shop, app, mark };
  try {
    await hostsAreThere(run);
    await coverPurchases(run);
    await coverRenewals(run);
    await coverHosts(run);
    await coverAccounts(run);
    await coverTeam(run);
    await coverCustomer(run);
    await coverTasks(run);
    await coverEmails(run);
    await coverOperation(run);
    await coverRest(run);
  } finally {
    await close();
  }
}

/** Makes the filler's hosts report, because their last report is too old to place a subscription on them. */
const hostsAreThere = ({ shop }: Coverage) =>
  shop.db.updateTable('host').set({ seen_at: shop.clock.now() }).where('status', '=', 'active').execute();

/** Covers the rest: the socket, the operator's commands, the health check. */
async function coverRest({ shop, app, mark }: Coverage): Promise<void> {
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
  await openAlertKinds(app, ['nobodys']);
  const foreign = { provider: 'stripe', ref: `pi_foreign_${mark}` } as const;
  await markUnrelated({ db: app, clock: shop.clock, providers: [] }, { ...foreign, reason: 'A test' });
  await isUnrelated(app, foreign.provider, foreign.ref);
}
