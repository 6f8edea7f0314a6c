import fastify from 'fastify';
import { mountBrowser } from './browser/pages.ts';
import { type BtcpaySettings, openBtcpay } from './btcpay/btcpay.ts';
import { btcpayTables } from './btcpay/state-tables.ts';
import { createClock, type TimeSource } from './clock.ts';
import { createFaults } from './control/faults.ts';
import { mountControl } from './control/routes.ts';
import { createDeliveries } from './delivery/queue.ts';
import type { OnExchange } from './exchange.ts';
import { createIds } from './ids.ts';
import { mountIndexPage } from './index-page.ts';
import { isLoopback } from './loopback.ts';
import { mountMailJson } from './mail/json.ts';
import { openMailbox } from './mail/mailbox.ts';
import { mountMailPages } from './mail/pages.ts';
import { mailReceiver, startSmtp } from './mail/smtp.ts';
import type { Parts } from './parts.ts';
import { openPaypal, type PaypalSettings } from './paypal/paypal.ts';
import { paypalTables } from './paypal/state-tables.ts';
import { createSchedule } from './schedule.ts';
import { mountStatePage } from './state-page.ts';
import { createStore } from './store.ts';
import { newWebhookEndpoint } from './stripe/api/records.ts';
import { type ApiContext, mountStripeApi } from './stripe/http.ts';
import { stripeSender } from './stripe/sender.ts';
import { createStripeState, type Task } from './stripe/state.ts';
import { stripeTables } from './stripe/state-tables.ts';
import { runDueTasks } from './stripe/tasks.ts';

export type SandboxOptions = {
  /** A loopback address. */
  host: string;
  /** 0 chooses a free port. */
  port: number;
  smtpPort: number;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  webhookUrl: string;
  paypal: PaypalSettings;
  btcpay: BtcpaySettings;
  controlToken: string;
  /** Origins of the shop's pages, which may frame the card fields. */
  shopOrigins: string[];
  /** Folder of the persistent state; in memory only without it. */
  dataDir?: string;
  /** Couples the sandbox's clock to another one; the system clock without it. */
  clock?: TimeSource;
  onAnswer?: ApiContext['onAnswer'];
  onBtcpayAnswer?: OnExchange;
  onPaypalAnswer?: OnExchange;
};

export type Sandbox = {
  url: string;
  smtpUrl: string;
  /**
   * Call after the given clock was moved: runs what is due and resolves when its webhooks were
   * answered.
   */
  catchUp(): Promise<void>;
  /**
   * Accepts an email like its SMTP server, faults included, without a connection. @throws the
   * server's reply
   */
  receiveMail(source: Buffer): Promise<void>;
  /**
   * Returns the headers of a delivery with PayPal's signature, for the shop's webhook or another.
   */
  signAsPaypal(body: string, webhookId?: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

const HOME_ENDPOINT = 'we_home';
const LARGEST_BODY = 1024 * 1024;
/** Timeout in ms for the shop's records. */
const SHOP_MS = 2_000;

/** Starts the sandbox providers. Resolves when they listen. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = createStore(options.dataDir);
  const settings = store.table<{ clockOffset: number }>('settings');
  const clock = createClock(settings.get('settings')?.clockOffset, options.clock);
  const ids = createIds(store);
  const faults = createFaults();
  const schedule = createSchedule(clock);
  const plan = (task: Task) => schedule.at(task.due, () => runDueTasks(state));
  const state = createStripeState(store, clock, ids, {
    origin: '',
    onEvent: event => deliveries.publish(event.id),
    onTask: plan,
  });
  const parts: Parts = { store, clock, ids, faults, schedule, origin: () => state.origin };
  const deliveries = createDeliveries({ ...parts, sender: stripeSender(state) });
  const paypal = openPaypal(options.paypal, parts, Boolean(options.dataDir), options.onPaypalAnswer);
  const btcpay = openBtcpay(options.btcpay, parts, options.onBtcpayAnswer);
  const queues = [deliveries, paypal.deliveries, btcpay.deliveries];
  const placeEndpoint = () =>
    state.endpoints.put(
      HOME_ENDPOINT,
      newWebhookEndpoint(HOME_ENDPOINT, clock.seconds(), {
        url: options.webhookUrl,
        enabledEvents: ['*'],
        secret: options.webhookSecret,
        description: 'The shop',
        metadata: {},
      }),
    );
  placeEndpoint();
  const mailbox = await openMailbox(store, clock, ids);

  const app = fastify({ bodyLimit: LARGEST_BODY, forceCloseConnections: true });
  // Runs what is due before any answer, also after the clock was moved.
  app.addHook('onRequest', async () => schedule.catchUp());
  // Refuses DNS rebinding: a page may point its own name at this machine, but the Host header
  // reveals it.
  app.addHook('onRequest', async (request, reply) => {
    if (!isLoopback((request.headers.host ?? '').replace(/:\d+$/, '')))
      return reply.status(421).send({ error: 'Loopback only' });
  });
  mountStripeApi(app, {
    state,
    faults,
    secretKey: options.secretKey,
    publishableKey: options.publishableKey,
    onAnswer: options.onAnswer,
  });
  mountBrowser(app, state, options.shopOrigins);
  paypal.mount(app);
  btcpay.mount(app);
  mountMailJson(app, mailbox);
  mountMailPages(app, mailbox);
  const authorization = `Bearer ${options.controlToken}`;
  mountIndexPage(app, clock, async ms => {
    const answer = await fetch(new URL('/_sandbox/clock', options.webhookUrl), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ms }),
    });
    if (answer.ok) return undefined;
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
    return error ?? `The shop answered ${answer.status}`;
  });
  const shopRecords = async () => {
    const signal = AbortSignal.timeout(SHOP_MS);
    const asked = fetch(new URL('/_sandbox/beliefs', options.webhookUrl), {
      headers: { authorization },
      signal,
    });
    const answer = await asked.catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as Record<string, string>) : undefined;
  };
  const providers = [
    { path: '/stripe', name: 'Stripe', tables: () => stripeTables(state), deliveries },
    {
      path: '/paypal',
      name: 'PayPal',
      tables: () => paypalTables(paypal.state),
      deliveries: paypal.deliveries,
    },
    {
      path: '/btcpay',
      name: 'BTCPay',
      tables: () => btcpayTables(btcpay.state),
      deliveries: btcpay.deliveries,
    },
  ];
  for (const provider of providers) mountStatePage(app, provider, shopRecords);
  mountControl(app, {
    state,
    paypal: paypal.state,
    btcpay: btcpay.state,
    faults,
    deliveries: queues,
    mailbox,
    token: options.controlToken,
    reset: seed => {
      schedule.clear();
      for (const queue of queues) queue.clear();
      store.clear();
      ids.reseed(seed);
      placeEndpoint();
    },
    advance: ms => {
      clock.advance(ms);
      settings.put('settings', { clockOffset: clock.offset() });
      schedule.catchUp();
    },
  });

  const receiveMail = mailReceiver(faults, mailbox.receive);
  const smtp = await startSmtp({ host: options.host, port: options.smtpPort, faults, take: receiveMail });
  await app.listen({ host: options.host, port: options.port });
  const host = options.host === '::1' ? '[::1]' : options.host;
  const bound = app.server.address();
  state.origin = `http://${host}:${typeof bound === 'object' && bound ? bound.port : options.port}`;
  for (const task of state.tasks.all()) plan(task);
  deliveries.resume();
  paypal.resume();
  btcpay.resume();

  return {
    url: state.origin,
    smtpUrl: `smtp://${host}:${smtp.port}`,
    catchUp: async () => {
      schedule.catchUp();
      await Promise.all(queues.map(queue => queue.settled()));
    },
    receiveMail,
    signAsPaypal: paypal.sign,
    stop: async () => {
      schedule.clear();
      for (const queue of queues) queue.stop();
      await Promise.all([app.close(), smtp.stop()]);
      store.close();
    },
  };
}
