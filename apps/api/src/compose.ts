import { chmodSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { calls } from '@fixpoint/contract/calls.ts';
import type { PublicConfig } from '@fixpoint/contract/config.ts';
import { errors } from '@fixpoint/contract/errors.ts';
import { documentVersion } from '@fixpoint/texts/documents.ts';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { createAltchaHumanCheck } from './adapters/altcha-human-check.ts';
import { asCustomer } from './adapters/database/customer-scope.ts';
import { openDatabase } from './adapters/database/database.ts';
import { migrate } from './adapters/database/migrate.ts';
import { type JobRunner, startJobs } from './adapters/pg-boss-jobs.ts';
import { listen, liveBus } from './adapters/postgres-bus.ts';
import { createPostgresLimits } from './adapters/postgres-limits.ts';
import { createSmtpMailer } from './adapters/smtp-mailer.ts';
import { createStripeCards } from './adapters/stripe-cards.ts';
import { systemClock } from './adapters/system-clock.ts';
import { createVaultSigner } from './adapters/vault-signer.ts';
import type { AllHandlers } from './caller.ts';
import type { Env } from './env.ts';
import { armFailPoints } from './failpoints.ts';
import { createHostWaits } from './host-waits.ts';
import { countViolations } from './http/csp-reports.ts';
import { refuseForeignSites } from './http/guards.ts';
import { providerOrigins, securityHeaders } from './http/headers.ts';
import { createIdentify } from './http/identify.ts';
import { inlineScripts } from './http/inline-scripts.ts';
import { mount } from './http/mount.ts';
import { createProtect } from './http/protect.ts';
import { serveReference } from './http/reference.ts';
import { createServer } from './http/server.ts';
import { securityText, serveSite } from './http/site.ts';
import { createSweep } from './jobs/sweep.ts';
import { createSendCode } from './mail/send-code.ts';
import { createSendMail } from './mail/send-mail.ts';
import {
  accountHandlers,
  createAccount,
  createPasswords,
  customerHandlers,
  eraseCustomer,
  ownAccountHandlers,
  sessionOfAccessToken,
  stepUpMethods,
  sweepAccounts,
  underAttack,
} from './modules/account/index.ts';
import { billingHandlers, lockInvoice, payInvoice, recordExcess } from './modules/billing/index.ts';
import { catalogHandlers, seedDemoCatalog } from './modules/catalog/index.ts';
import { checkoutHandlers, createCheckout, endOrders, paymentOutcome } from './modules/checkout/index.ts';
import { keyHandlers } from './modules/key/index.ts';
import { createLiveSocket } from './modules/live/index.ts';
import { createPayment, paymentHandlers, paymentRoutes } from './modules/payment/index.ts';
import {
  agentRoutes,
  freeRestedAddresses,
  openHostAuthority,
  renewServerCertificates,
} from './modules/provisioning/index.ts';
import { activate, assignWaiting, subscriptionHandlers } from './modules/subscription/index.ts';
import { textHandlers } from './modules/text/index.ts';
import type { Clock } from './ports/clock.ts';
import type { Db } from './ports/database.ts';
import {
  createClientName,
  createCodeHash,
  createDeviceSeal,
  createVault,
  deriveKey,
  masterKey,
} from './secrets.ts';

export type Shop = {
  /** What the worker does every minute. Tests move the clock and call it. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

/** Who runs the shop, for the terms and the privacy policy. */
const operatorOf = (env: Env) => ({
  brand: env.BRAND_NAME,
  company: env.COMPANY_NAME,
  address: env.COMPANY_ADDRESS,
  taxId: env.COMPANY_TAX_ID,
  support: env.SUPPORT_EMAIL,
});

const originOf = (url: string): string => new URL(url).origin;

/** The one place that names adapters: builds the shop from its environment and starts it. */
export async function startShop(env: Env, log: Logger, clock: Clock = systemClock): Promise<Shop> {
  armFailPoints(env.FAILPOINT_FILE);
  await migrate(env.DATABASE_URL);
  const { db, close: closeDatabase } = openDatabase(env.DATABASE_URL);
  if (env.SEED === 'demo') await seedDemoCatalog(db);

  const master = await masterKey(env.MASTER_KEY_FILE);
  const vault = createVault(master);
  const signer = createVaultSigner(vault);
  const cards = createStripeCards({
    secret: env.STRIPE_SECRET,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRETS,
    host: env.STRIPE_API_HOST,
    port: env.STRIPE_API_PORT,
    protocol: env.STRIPE_API_PROTOCOL,
  });
  const jobs: JobRunner = await startJobs(env.DATABASE_URL, log);
  const live = liveBus;
  const account = createAccount({ clock });
  const payment = createPayment({
    db,
    clock,
    jobs,
    cards,
    invoices: { lock: lockInvoice, pay: payInvoice, recordExcess },
    holdActive: account.holdActive,
    onOutcome: paymentOutcome({ clock, jobs, live }),
  });
  const termsVersion = documentVersion('terms');
  const limits = createPostgresLimits(db, clock, master);
  const humanCheck = createAltchaHumanCheck({ clock, limits, masterKey: master, cost: env.HUMAN_CHECK_COST });
  const codes = { db, clock, jobs, limits, log, codeHash: createCodeHash(master) };
  const [pepper, ...earlier] = [...env.PASSWORD_PEPPER, deriveKey(master, 'passwords')] as const;
  const accountDeps = {
    ...codes,
    ...{ live, vault, humanCheck, termsVersion, brandName: env.BRAND_NAME },
    passwords: createPasswords([pepper!, ...earlier]),
    deviceSeal: createDeviceSeal(master),
    signUpRevealsEmail: env.SIGNUP_REVEALS_EMAIL,
    passkeyDomain: new URL(env.PUBLIC_URL).hostname,
    passkeyOrigins: [originOf(env.PUBLIC_URL)],
    endOrders: (tx: Db, customer: { id: string; email: string }) => endOrders({ clock }, tx, customer),
  };
  const checkoutDeps = {
    db,
    clock,
    jobs,
    live,
    signer,
    payment,
    log,
    account,
    saleCountry: env.SALE_COUNTRY,
    termsVersion,
  };
  const checkout = createCheckout(checkoutDeps);
  const hostWaits = createHostWaits();
  const sessionOf = (token: string) => sessionOfAccessToken(db, clock, token);

  const assignHosts = () => assignWaiting({ db, clock, signer, live });
  const sweep = createSweep({
    ...{ db, clock, jobs, checkout, assignHosts },
    freeAddresses: () => freeRestedAddresses({ db, clock }),
    sweepAccounts: () => sweepAccounts({ db, clock }),
    renewCertificates: () => renewServerCertificates({ db, signer, clock, live }),
  });
  if (env.ROLE !== 'api') {
    const brand = { name: env.BRAND_NAME, support: env.SUPPORT_EMAIL };
    const mailer = createSmtpMailer(env.SMTP_URL, env.MAIL_FROM);
    await jobs.work({
      providerEvent: ({ eventId }) => payment.processEvent(eventId),
      checkAttempt: ({ attemptId }) => payment.checkAttempt(attemptId),
      refundExcess: ({ attemptId }) => payment.refundExcess(attemptId),
      saveCard: ({ attemptId, customerId }) => payment.saveCard(attemptId, customerId),
      fulfilOrder: ({ orderId }) => checkout.fulfil(orderId),
      sendMail: createSendMail({ db, clock, mailer, publicUrl: env.PUBLIC_URL, brand }),
      eraseCustomer: ({ customerId }) => eraseCustomer(db, customerId),
      sendCode: createSendCode({ ...codes, mailer, publicUrl: env.PUBLIC_URL, brand }),
      sweep,
    });
  }
  if (env.ROLE === 'worker') {
    return {
      sweep,
      async close() {
        await jobs.stop();
        await closeDatabase();
      },
    };
  }

  const secure = env.PUBLIC_URL.startsWith('https:');
  // What runs on a customer's own machine under these names is none of a shop that is reached over https (S26).
  const ofThisMachine = secure ? [] : [`http://localhost:${env.PORT}`, `http://127.0.0.1:${env.PORT}`];
  const origins = new Set([originOf(env.PUBLIC_URL), ...ofThisMachine]);
  const config: PublicConfig = {
    API_URL: '',
    SOCKET_URL: '',
    STRIPE_PUB: env.STRIPE_PUB,
    PAYPAL_CLIENT_ID: '',
    STRIPE_JS_URL: env.STRIPE_JS_URL,
    PAY_URL: env.PAY_URL,
    SHOP_ORIGINS: [...origins],
    ...(env.SANDBOX_URL && { SANDBOX_URL: env.SANDBOX_URL }),
    BRAND_NAME: env.BRAND_NAME,
    SUPPORT_EMAIL: env.SUPPORT_EMAIL,
    SUPPORT_HOURS: env.SUPPORT_HOURS,
    ...(env.CHATWOOT_URL && { CHATWOOT_URL: env.CHATWOOT_URL, CHATWOOT_TOKEN: env.CHATWOOT_TOKEN }),
    DEFAULT_CURRENCY: env.DEFAULT_CURRENCY,
  };
  const handlers: AllHandlers<typeof calls> = {
    auth: accountHandlers(accountDeps),
    customer: customerHandlers(accountDeps),
    account: ownAccountHandlers(accountDeps),
    text: textHandlers({ db, operator: operatorOf(env) }),
    order: {
      ...catalogHandlers({ db, clock, saleCountry: env.SALE_COUNTRY, defaultCurrency: env.DEFAULT_CURRENCY }),
      ...checkoutHandlers(checkoutDeps),
    },
    billing: billingHandlers({ db }),
    payment: paymentHandlers({ db }),
    subscription: {
      ...subscriptionHandlers({ db, clock }),
      ...keyHandlers({ db, clock, signer, live, brandName: env.BRAND_NAME }),
    },
  };

  const app = await createServer(log, env.TRUST_PROXY);
  securityHeaders(app, {
    shop: [...origins],
    pay: env.PAY_URL,
    provider: providerOrigins(env.STRIPE_JS_URL),
    scripts: await inlineScripts(env.WEB_DIR),
    frames: env.CHATWOOT_URL ? [originOf(env.CHATWOOT_URL)] : [],
    secure,
  });
  countViolations(app, log);
  refuseForeignSites(app, origins);
  const protect = createProtect(createIdentify(sessionOf, secure), {
    ...{ clock, limits, humanCheck, clientName: createClientName(master, clock), scale: env.LIMITS_SCALE },
    underAttack: () => underAttack({ limits }),
    stepUpMethods: customerId => stepUpMethods(db, customerId),
  });
  mount(app, calls, handlers, protect, asCustomer);
  await paymentRoutes(app, { db, clock, jobs, cards });
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    await db.selectFrom('setting').select('key').limit(1).execute();
    return reply.send({ ready: true });
  });
  if (env.SANDBOX_URL) serveReference(app, calls);
  await serveSite(app, {
    webDir: env.WEB_DIR,
    config,
    securityText: securityText(env.SUPPORT_EMAIL, env.PUBLIC_URL, clock.now()),
  });

  const socket = createLiveSocket(app.server, { db, log, origins, sessionOf });
  const bus = await listen(
    env.DATABASE_URL,
    log,
    message => {
      if (message.kind === 'event') socket.emit(message.room, message.event, message.payload);
      else if (message.kind === 'disconnect') socket.disconnect(message.target);
      else hostWaits.wake(message.hostId);
    },
    () => {
      hostWaits.wakeAll();
      // Sessions may have ended unheard: whoever still has one comes back at once.
      socket.disconnectAll();
    },
  );

  const agentListeners = await startAgentListeners();
  await app.listen({ port: env.PORT, host: env.HOST });
  log.info({ port: env.PORT }, 'the shop is open');

  /** mTLS listeners for VPN hosts: they never share a port with customers. */
  async function startAgentListeners(): Promise<FastifyInstance[]> {
    const authority = await openHostAuthority(db, signer, clock);
    const listeners: FastifyInstance[] = [];
    const targets = [
      ...(env.AGENT_SOCKET ? [{ path: env.AGENT_SOCKET }] : []),
      ...(env.AGENT_PORT ? [{ port: env.AGENT_PORT, host: env.HOST }] : []),
    ];
    for (const target of targets) {
      const agentApp = Fastify({
        loggerInstance: log,
        logController: new LogController({ disableRequestLogging: true }),
        bodyLimit: 4 * 1024 * 1024,
        requestTimeout: 30_000,
        forceCloseConnections: true,
        serverFactory: handler =>
          createTlsServer(
            {
              cert: authority.tlsCertificate,
              key: signer.openTlsKey(authority.tlsKeySealed),
              ca: authority.ca,
              requestCert: true,
              // A host that enrols has no certificate yet; every other call checks `authorized` itself.
              rejectUnauthorized: false,
              minVersion: 'TLSv1.3',
            },
            handler,
          ),
      }) as unknown as FastifyInstance;
      agentApp.setValidatorCompiler(validatorCompiler);
      agentApp.setErrorHandler((error, request, reply) => {
        const status = (error as { statusCode?: number }).statusCode ?? 500;
        if (status >= 500) request.log.error({ err: error }, 'agent call');
        return reply.status(status).send({ error: status >= 500 ? errors.unexpected.code : 'refused' });
      });
      await agentRoutes(agentApp, {
        db,
        clock,
        signer,
        authority,
        waitForChange: hostWaits.wait,
        onUp: (tx, subscriptionId) => activate({ clock, jobs, live }, tx, subscriptionId),
        onEnrolled: assignHosts,
      });
      if ('path' in target) rmSync(target.path!, { force: true });
      await agentApp.listen(target);
      if ('path' in target) chmodSync(target.path!, 0o600);
      listeners.push(agentApp);
    }
    return listeners;
  }

  return {
    sweep,
    async close() {
      hostWaits.wakeAll();
      await Promise.all(agentListeners.map(listener => listener.close()));
      await socket.close();
      await app.close();
      await bus.stop();
      await jobs.stop();
      await closeDatabase();
    },
  };
}
