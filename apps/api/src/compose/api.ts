import { calls } from '@fixpoint/contract/calls.ts';
import type { PublicConfig } from '@fixpoint/contract/config.ts';
import type { NoLogsPage } from '@fixpoint/contract/no-logs.ts';
import type { StatusPage } from '@fixpoint/contract/status.ts';
import { createProofSigner } from '../adapters/proof-signer.ts';
import { createClientName, newToken } from '../crypto/secrets.ts';
import { asApplication, asCaller, asCustomer } from '../database/scope.ts';
import type { Env } from '../env/env.ts';
import { passedSocket } from '../env/passed-sockets.ts';
import { serveAllowLists } from '../http/allow-list.ts';
import { createClientAddress } from '../http/client-address.ts';
import { closing } from '../http/closing.ts';
import { countViolations } from '../http/csp-reports.ts';
import { serveExports } from '../http/export.ts';
import { createGuard } from '../http/guard.ts';
import { refuseForeignSites } from '../http/guards.ts';
import { providerOrigins, securityHeaders } from '../http/headers.ts';
import { serveHealth } from '../http/health.ts';
import { serveHostSetup } from '../http/host-setup.ts';
import { createIdempotency } from '../http/idempotency.ts';
import { createIdentify } from '../http/identify.ts';
import { inlineScripts } from '../http/inline-scripts.ts';
import { listenOn } from '../http/listen.ts';
import { announceStatus, refuseBuying } from '../http/maintenance.ts';
import { serveMeasure } from '../http/measure.ts';
import { servePublicJson } from '../http/public-json.ts';
import { serveReference } from '../http/reference.ts';
import { serveReturnPaths } from '../http/return-path.ts';
import { mount } from '../http/routes.ts';
import { type ForSandbox, serveSandboxPages } from '../http/sandbox-pages.ts';
import { createServer } from '../http/server.ts';
import { securityText, serveSite } from '../http/site.ts';
import { webhookRoutes } from '../http/webhooks.ts';
import { createAnswerCache } from '../kernel/answer-cache.ts';
import type { AllHandlers } from '../kernel/caller.ts';
import type { Health } from '../kernel/health.ts';
import {
  accountHandlers,
  createSessionOf,
  customerHandlers,
  ownAccountHandlers,
  stepUpMethods,
  underAttack,
} from '../modules/account/index.ts';
import { recordAction } from '../modules/audit/index.ts';
import { bandwidthHandlers } from '../modules/bandwidth/index.ts';
import { createMeasureTickets, type MeasureTickets } from '../modules/bandwidth/measure-tickets.ts';
import { billingHandlers } from '../modules/billing/index.ts';
import { catalogHandlers, placeNoticeHandlers } from '../modules/catalog/index.ts';
import { checkoutHandlers, guestHandlers, withdrawHandlers } from '../modules/checkout/index.ts';
import { createExportTickets, type ExportTickets } from '../modules/document/export-tickets.ts';
import { exportHandlers, openExport } from '../modules/document/index.ts';
import { fileVersion, keyHandlers } from '../modules/key/index.ts';
import { createLiveSocket } from '../modules/live/index.ts';
import { payLinkHandlers, paymentHandlers } from '../modules/payment/index.ts';
import type { HostQuestionRegistry } from '../modules/provisioning/host-questions.ts';
import { noLogsProofs, statusPage } from '../modules/provisioning/index.ts';
import {
  type AskHost,
  allowListHandlers,
  memberHandlers,
  readAllowList,
  subscriptionHandlers,
} from '../modules/subscription/index.ts';
import { teamHandlers } from '../modules/team/index.ts';
import { keepLegalTexts, textHandlers } from '../modules/text/index.ts';
import { HOST_SETUP_PATH, hostSetup } from './host-setup/setup-script.ts';
import type { Parts } from './parts.ts';

const originOf = (url: string): string => new URL(url).origin;

function publicConfig(env: Env, origins: Iterable<string>): PublicConfig {
  return {
    API_URL: '',
    SOCKET_URL: '',
    STRIPE_PUB: env.STRIPE_PUB,
    PAYPAL_CLIENT_ID: env.PAYPAL_CLIENT_ID ?? '',
    STRIPE_JS_URL: env.STRIPE_JS_URL,
    PAY_URL: env.PAY_URL,
    SHOP_ORIGINS: [...origins],
    ...(env.SANDBOX_URL && { SANDBOX_URL: env.SANDBOX_URL }),
    BRAND_NAME: env.BRAND_NAME,
    COMPANY_NAME: env.COMPANY_NAME,
    COMPANY_ADDRESS: env.COMPANY_ADDRESS,
    COMPANY_TAX_ID: env.COMPANY_TAX_ID,
    COMPANY_PLACE: env.COMPANY_PLACE,
    COMPANY_SINCE: env.COMPANY_SINCE,
    COMPANY_AUDITOR: env.COMPANY_AUDITOR,
    SUPPORT_EMAIL: env.SUPPORT_EMAIL,
    SUPPORT_HOURS: env.SUPPORT_HOURS,
    ...(env.CHATWOOT_URL && { CHATWOOT_URL: env.CHATWOOT_URL, CHATWOOT_TOKEN: env.CHATWOOT_TOKEN }),
    DEFAULT_CURRENCY: env.DEFAULT_CURRENCY,
    WITHDRAWAL: env.WITHDRAWAL,
    UNSUPPORTED_DEBIT_ISSUERS: env.UNSUPPORTED_DEBIT_ISSUERS,
  };
}

/** Sends a question to a host through the node that it is connected to, and waits for the answer. */
const askHost =
  ({ live, db }: Parts, questions: HostQuestionRegistry): AskHost =>
  async (hostId, question) => {
    const id = newToken();
    const answer = questions.answerOf(hostId, id);
    await live.askHost(db, hostId, { id, ...question });
    return answer;
  };

/** Who sells, as legal texts name them. */
const operatorOf = (env: Parts['env']) => ({
  brand: env.BRAND_NAME,
  company: env.COMPANY_NAME,
  address: env.COMPANY_ADDRESS,
  taxId: env.COMPANY_TAX_ID,
  support: env.SUPPORT_EMAIL,
});

function allHandlers(
  parts: Parts,
  questions: HostQuestionRegistry,
  tickets: MeasureTickets,
  exports: ExportTickets,
): AllHandlers<typeof calls> {
  const { env, accountDeps, checkoutDeps } = parts;
  const operator = operatorOf(env);
  const sale = {
    saleCountry: env.SALE_COUNTRY,
    defaultCurrency: env.DEFAULT_CURRENCY,
    methods: async (currency: string) => {
      const all = await parts.payment.methods(currency);
      const renewing = all.filter(({ renewsByItself }) => renewsByItself);
      return { payBy: all.map(({ method }) => method), renewBy: renewing.map(({ method }) => method) };
    },
  };
  return {
    auth: accountHandlers(accountDeps),
    customer: customerHandlers(accountDeps),
    account: ownAccountHandlers(accountDeps),
    text: textHandlers({
      db: parts.db,
      operator,
      legalTexts: parts.env.LEGAL_TEXTS_DIR,
      maintenance: parts.maintenance,
    }),
    order: { ...catalogHandlers({ ...parts, ...sale }), ...checkoutHandlers(checkoutDeps) },
    guest: { ...guestHandlers(checkoutDeps), ...placeNoticeHandlers(parts) },
    billing: { ...billingHandlers(parts), ...exportHandlers({ ...parts, tickets: exports }) },
    payment: paymentHandlers(parts.paymentDeps),
    payLink: payLinkHandlers(parts.paymentDeps),
    allowList: allowListHandlers(parts),
    member: memberHandlers({ ...parts, fileVersion }),
    team: teamHandlers({ ...accountDeps, scale: env.LIMITS_SCALE }, accountDeps),
    subscription: {
      ...subscriptionHandlers({
        ...parts,
        ...sale,
        fileVersion,
        close: parts.payment.close,
        withdrawal: env.WITHDRAWAL,
        askHost: askHost(parts, questions),
      }),
      ...withdrawHandlers(checkoutDeps),
      ...keyHandlers({ ...parts, brandName: env.BRAND_NAME }),
      ...bandwidthHandlers({ ...parts, tickets }),
    },
  };
}

/**
 * Builds the shop's HTTP server and its live socket. `open` makes it listen, after everything else has started.
 * @param forSandbox what the pages of the sandbox need; undefined without a sandbox
 * @param questions open questions of customers to hosts
 * @param health whether this node can work
 */
export async function buildApi(
  parts: Parts,
  forSandbox: ForSandbox | undefined,
  questions: HostQuestionRegistry,
  health: () => Promise<Health>,
) {
  const { env, log, systemClock: clock, db, application, limits, humanCheck } = parts;
  const { root } = parts.masterKey;
  const secure = env.PUBLIC_URL.startsWith('https:');
  // Only without https: else a program on the customer's own machine could act as an origin of the shop (S26).
  const ofThisMachine = secure ? [] : [`http://localhost:${env.PORT}`, `http://127.0.0.1:${env.PORT}`];
  const origins = new Set([originOf(env.PUBLIC_URL), ...ofThisMachine]);
  const sessionOf = createSessionOf(application, clock);

  await keepLegalTexts(application, parts.clock.now(), operatorOf(env), env.LEGAL_TEXTS_DIR);
  const app = await createServer(log, env.TRUST_PROXY, env.MAX_EVENT_LOOP_DELAY);
  const close = closing(app);
  // After the body was read: reading the socket loses the async context of an earlier hook.
  app.addHook('preHandler', (_request, _reply, done) => asApplication(done));
  securityHeaders(app, {
    shop: [...origins],
    pay: env.PAY_URL,
    provider: providerOrigins(env.STRIPE_JS_URL),
    scripts: await inlineScripts(env.WEB_DIR),
    frames: env.CHATWOOT_URL ? [originOf(env.CHATWOOT_URL)] : [],
    secure,
  });
  countViolations(app, log);
  // Read before the first answer, which names it.
  await parts.maintenance.isOn();
  announceStatus(app, parts.maintenance);
  refuseForeignSites(app, origins);
  const clientName = createClientName(root, clock);
  const tickets = createMeasureTickets(root, clock);
  const exports = createExportTickets(root, clock);
  const protect = createGuard(createIdentify(sessionOf, secure), {
    clock,
    limits,
    humanCheck,
    clientName,
    scale: env.LIMITS_SCALE,
    underAttack: () => underAttack({ limits }),
    stepUpMethods: userId => stepUpMethods(application, userId),
  });
  const once = createIdempotency(parts.idempotencyRecords);
  const handlers = refuseBuying(calls, allHandlers(parts, questions, tickets, exports), parts.maintenance);
  mount(app, calls, handlers, protect, asCaller, once, async done => {
    try {
      await application.transaction().execute(tx => recordAction(tx, { at: clock.now(), ...done }));
    } catch (error) {
      log.error(
        { event: 'action_not_recorded', action: done.action, err: error },
        'an action is missing in the audit log',
      );
    }
  });
  await serveMeasure(app, (ticket, ip) => tickets.fits(clientName(ip), ticket));
  serveExports(app, async (ticket, ip) => {
    const wanted = exports.read(clientName(ip), ticket);
    return wanted && openExport({ db, asCustomer }, wanted);
  });
  serveAllowLists(app, readAllowList({ db, asCustomer }), async (ip, { most, seconds }) => {
    const { count, endsIn } = await limits.hit(`calls allowList:${clientName(ip)}`, seconds);
    return count > most * env.LIMITS_SCALE ? endsIn : undefined;
  });
  await webhookRoutes(app, parts.payment, clientName);
  serveReturnPaths(app);
  if (forSandbox) serveSandboxPages(app, forSandbox);
  serveHealth(app, health);
  if (env.SANDBOX_URL) serveReference(app, calls);
  await serveSite(app, {
    webDir: env.WEB_DIR,
    config: publicConfig(env, origins),
    look: { logo: env.BRAND_LOGO, links: env.BRAND_COLOR, action: env.BRAND_ACTION_COLOR },
    publicUrl: env.PUBLIC_URL,
    securityText: securityText(env.SUPPORT_EMAIL, env.PUBLIC_URL, clock.now()),
  });
  const { publicKey } = createProofSigner(root);
  const proven = createAnswerCache<NoLogsPage>();
  const noLogs = () => proven('all', async () => ({ publicKey, reports: await noLogsProofs(db) }));
  servePublicJson(app, '/no-logs.json', noLogs);
  const status = createAnswerCache<StatusPage>();
  const watching = { db, clock: parts.clock, systemClock: clock, startedAt: clock.now() };
  servePublicJson(app, '/status.json', () => status('all', () => statusPage(watching)));
  serveHostSetup(app, HOST_SETUP_PATH, () => hostSetup(env.AGENT_PACKAGES_DIR));
  const addressOf = createClientAddress(env.TRUST_PROXY);
  const socket = createLiveSocket(app.server, {
    db: application,
    clock,
    log,
    origins,
    sessionOf,
    networkOf: request => clientName(addressOf(request)),
    scale: env.LIMITS_SCALE,
  });

  return {
    socket,
    async open(): Promise<void> {
      const address = { port: env.PORT, host: env.HOST };
      await listenOn(app, address, { port: 'PORT', host: 'HOST' }, passedSocket('http'));
      log.info({ port: env.PORT }, 'the shop is open');
    },
    async close(): Promise<void> {
      socket.close();
      await close();
    },
  };
}
