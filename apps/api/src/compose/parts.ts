import { documentVersion } from '@fixpoint/texts/documents.ts';
import type { Logger } from 'pino';
import { createAltchaHumanCheck } from '../adapters/altcha-human-check.ts';
import { createBitcoin } from '../adapters/btcpay/bitcoin.ts';
import { claimDataDir } from '../adapters/data-dir.ts';
import type { JobRunner } from '../adapters/jobs/runner.ts';
import { openMasterKey } from '../adapters/master-key/ring.ts';
import { createProvenUrls } from '../adapters/paypal/proven-urls.ts';
import { liveBus } from '../adapters/postgres-bus.ts';
import { createPostgresIdempotencyRecords } from '../adapters/postgres-idempotency-records.ts';
import { createPostgresLimits } from '../adapters/postgres-limits.ts';
import { createHcloudRouting } from '../adapters/routing/hcloud.ts';
import { staticRouting } from '../adapters/routing/static.ts';
import { createStripeCard } from '../adapters/stripe/card.ts';
import { createStripePromptPay } from '../adapters/stripe/promptpay.ts';
import { createVaultSigner } from '../adapters/vault-signer.ts';
import {
  createAccessTokens,
  createAllowListSeal,
  createCodeHash,
  createDeviceSeal,
  createPayLinkSeal,
  deriveKey,
} from '../crypto/secrets.ts';
import type { ShopDatabase } from '../database/database.ts';
import type { Env } from '../env/env.ts';
import { publisherTo } from '../kernel/domain-event.ts';
import { createAccount, createPasswords, type UserMove } from '../modules/account/index.ts';
import { createBlockList } from '../modules/block/index.ts';
import { type CheckoutDeps, endOrders } from '../modules/checkout/index.ts';
import { moveDevices } from '../modules/key/index.ts';
import { createPayment } from '../modules/payment/index.ts';
import { moveNumbers } from '../modules/team/index.ts';
import { createMaintenance } from '../modules/text/index.ts';
import type { AddressRoutings } from '../ports/address-routing.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Gateways, PaymentMethod } from '../ports/payment-gateway.ts';
import type { Adapters } from './adapters.ts';
import { alertingOf } from './alerting.ts';
import { createScheduledBackups } from './backup/scheduled.ts';
import { endingWork } from './ending-work.ts';
import { personal } from './personal.ts';
import { booksOf, openProviders } from './providers.ts';
import { salesReactions } from './reactions.ts';

/** The parts of a shop that API and worker share, built from the environment. */
export async function buildParts(
  env: Env,
  log: Logger,
  { clock, systemClock }: { clock: Clock; systemClock: Clock },
  database: ShopDatabase,
  jobs: JobRunner,
  { createMailer }: Adapters,
) {
  const { db, application } = database;
  const live = liveBus;
  const masterKey = await openMasterKey(database.application, env.MASTER_KEY_FILE);
  const { vault, root } = masterKey;
  if (!(await claimDataDir(env.DATA_DIR, root)))
    log.warn('DATA_DIR cannot be written: a second shop with the same folder would not be noticed');
  const signer = createVaultSigner(vault);
  const clients = await openProviders(env, clock);
  const { stripe, paypal, btcpay } = clients;
  const routing: AddressRoutings = {
    static: staticRouting,
    ...(env.HCLOUD_TOKEN && {
      hcloud: createHcloudRouting({ url: env.HCLOUD_URL, token: env.HCLOUD_TOKEN }),
    }),
  };
  const isRetired = (method: PaymentMethod) =>
    env.RETIRED_METHODS.some(retired => retired === method) || (method === 'promptpay' && !env.PROMPTPAY);
  const gateways = withoutNewOf(isRetired, {
    card: createStripeCard(stripe),
    ...(paypal && { paypal: paypal.gateway(createProvenUrls(application, clock)) }),
    promptpay: createStripePromptPay(stripe),
    ...(btcpay && { bitcoin: createBitcoin(btcpay) }),
  });
  const account = createAccount({ clock: systemClock });
  const blocks = createBlockList(root);
  const isBlockedEmail = (on: Db, email: string) => blocks.holds(on, systemClock.now(), 'email', email);
  const { holdActive } = account;
  const publish = publisherTo(
    salesReactions({ clock, jobs, live, gateways, disputedService: env.DISPUTED_SERVICE }),
  );
  const limits = createPostgresLimits(application, systemClock, root);
  const idempotencyRecords = createPostgresIdempotencyRecords(application, systemClock, masterKey);
  const paymentDeps = {
    db,
    clock,
    jobs,
    live,
    gateways,
    limits,
    scale: env.LIMITS_SCALE,
    unsupportedDebitIssuers: env.UNSUPPORTED_DEBIT_ISSUERS,
    holdActive,
    isBlocked: (on: Db, kind: 'card' | 'paypal', value: string) =>
      blocks.holds(on, systemClock.now(), kind, value),
    publish,
    payLinkSeal: createPayLinkSeal(root),
  };
  const payment = createPayment(paymentDeps);
  const termsVersion = documentVersion('terms', env.LEGAL_TEXTS_DIR);
  const humanCheck = createAltchaHumanCheck({
    clock: systemClock,
    limits,
    root,
    cost: env.HUMAN_CHECK_COST,
  });
  // Logins use the system clock: a jump of the shop's clock must not log everybody out.
  const codes = { db, clock: systemClock, jobs, limits, log, codeHash: createCodeHash(root) };
  const [pepper, ...earlier] = [...env.PASSWORD_PEPPER, deriveKey(root, 'passwords')];
  const accountDeps = {
    ...codes,
    live,
    vault,
    humanCheck,
    termsVersion,
    personal,
    brandName: env.BRAND_NAME,
    passwords: createPasswords([pepper!, ...earlier]),
    deviceSeal: createDeviceSeal(root),
    accessToken: createAccessTokens(root),
    signUpRevealsEmail: env.SIGNUP_REVEALS_EMAIL,
    passkeyDomain: new URL(env.PUBLIC_URL).hostname,
    passkeyOrigins: [new URL(env.PUBLIC_URL).origin],
    isBlocked: isBlockedEmail,
    ...endingWork({ clock, live, jobs }),
    moveWork: async (tx: Db, move: UserMove) => {
      await moveNumbers(tx, move);
      await moveDevices(tx, move);
    },
    endOrders: (tx: Db, customer: { id: string; email: string }) => endOrders({ clock }, tx, customer),
  };
  const maintenance = createMaintenance(application);
  const checkoutDeps: CheckoutDeps = {
    db,
    clock,
    systemClock,
    jobs,
    limits,
    live,
    signer,
    payment,
    log,
    account,
    saleCountry: env.SALE_COUNTRY,
    isBlocked: isBlockedEmail,
    seller: {
      brand: env.BRAND_NAME,
      company: env.COMPANY_NAME,
      address: env.COMPANY_ADDRESS,
      taxId: env.COMPANY_TAX_ID,
      branch: env.COMPANY_BRANCH,
      country: env.SALE_COUNTRY,
    },
    termsVersion,
    withdrawal: env.WITHDRAWAL,
    publish,
  };
  const mailer = createMailer(env.SMTP_URL, env.MAIL_FROM, env.SUPPORT_EMAIL);
  return {
    env,
    log,
    clock,
    systemClock,
    db,
    application,
    jobs,
    live,
    masterKey,
    signer,
    gateways,
    routing,
    providers: booksOf(clients),
    payment,
    limits,
    idempotencyRecords,
    maintenance,
    mailer,
    alerting: alertingOf(env, mailer, systemClock),
    backups: createScheduledBackups({ env, db: application, clock, systemClock, log }),
    humanCheck,
    codes,
    personal,
    accountDeps,
    paymentDeps,
    checkoutDeps,
    allowListSeal: createAllowListSeal(root),
  };
}

export type Parts = Awaited<ReturnType<typeof buildParts>>;

/** Stops new payments by retired methods. Their old payments are still followed, reconciled and refunded. */
const withoutNewOf = (isRetired: (method: PaymentMethod) => boolean, gateways: Gateways): Gateways =>
  Object.fromEntries(
    Object.values(gateways).map(gateway => [
      gateway.method,
      isRetired(gateway.method) ? { ...gateway, takes: () => false, renewsByItself: false } : gateway,
    ]),
  );
