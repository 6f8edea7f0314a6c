import { keptYears } from '@fixpoint/domain/billing/kept.ts';
import { failingQueues } from '../adapters/jobs/failing.ts';
import { VERSION } from '../database/nodes.ts';
import { createGenerateDocuments } from '../documents/generate-documents.ts';
import { createSendCode } from '../emails/send-code.ts';
import { createSendEmail } from '../emails/send-email.ts';
import { backfillTask } from '../jobs/backfill.ts';
import { watched } from '../jobs/scheduled-tasks.ts';
import { eraseAccounts, sweepAccounts } from '../modules/account/index.ts';
import { deadJob, raiseAlert, syncAlerts } from '../modules/alert/index.ts';
import { documentsTask } from '../modules/billing/index.ts';
import { booksTask, reconcile, reconcileTask } from '../modules/books/index.ts';
import { checkoutTasks, creditUnapplied, expireOrder, fulfilOrder } from '../modules/checkout/index.ts';
import { keyTasks } from '../modules/key/index.ts';
import { endKeepingTask, paymentTasks, sweepSavingsTask } from '../modules/payment/index.ts';
import { followMove, provisioningTasks, renewServerCertificate } from '../modules/provisioning/index.ts';
import {
  activate,
  chargeRenewal,
  placeWaiting,
  renewSubscription,
  subscriptionTasks,
} from '../modules/subscription/index.ts';
import type { Adapters } from './adapters.ts';
import { backfills } from './backfills.ts';
import type { Parts } from './parts.ts';

type ScheduledTasks = ReturnType<typeof watched>;

/** All scheduled tasks of the shop, in no order: each is looked after by itself. */
export function allTasks(parts: Parts): ScheduledTasks {
  const { env, db, clock, wall, jobs, limits, idempotencyRecords, log, checkoutDeps } = parts;
  return watched({ db, clock, log }, [
    { name: 'takeJobRequests', run: () => jobs.takeRequests(db) },
    ...paymentTasks(parts),
    endKeepingTask({ db, clock, keptYears: env.INVOICES_KEPT_YEARS ?? keptYears(env.SALE_COUNTRY) }),
    documentsTask(parts),
    ...checkoutTasks(checkoutDeps),
    ...subscriptionTasks(parts),
    ...provisioningTasks(parts),
    ...keyTasks(parts),
    { name: 'eraseAccounts', run: () => eraseAccounts({ db, clock: wall }, parts.personal) },
    { name: 'sweepAccounts', run: () => sweepAccounts({ db, clock: wall }) },
    sweepSavingsTask({ db, clock }),
    { name: 'sweepLimits', run: () => limits.sweep() },
    { name: 'sweepIdempotencyRecords', run: () => idempotencyRecords.sweep() },
    booksTask({ db, clock }),
    reconcileTask(parts),
    backfillTask({ db, version: VERSION }, backfills),
    {
      name: 'tellFailingJobs',
      async run() {
        const failing = await failingQueues(db);
        const alerts = failing.map(({ queue, jobs }) => ({ subject: queue, what: { jobs } }));
        await syncAlerts(db, clock.now(), 'job.failing', alerts);
      },
    },
  ]);
}

/** Takes jobs and looks after the scheduled tasks. */
export function startWorker(
  parts: Parts,
  { tasks, runAllTasks }: ScheduledTasks,
  { createMailer, createPrinter }: Adapters,
): Promise<void> {
  const { env, db, clock, wall, jobs, live, payment, checkoutDeps } = parts;
  const brand = { name: env.BRAND_NAME, support: env.SUPPORT_EMAIL };
  const renewDeps = {
    db,
    clock,
    jobs,
    live,
    seller: checkoutDeps.seller,
    collectionMethod: payment.collectionMethod,
    close: payment.close,
    isPaidOnItsWay: payment.isPaidOnItsWay,
    charge: payment.charge,
    publish: checkoutDeps.publish,
  };
  const mailer = createMailer(env.SMTP_URL, env.MAIL_FROM);
  return jobs.work(
    {
      runAllTasks: () => runAllTasks(({ at }) => at === undefined),
      providerEvent: ({ provider, eventId }) => payment.processEvent(provider, eventId),
      askAttempt: ({ attemptId }) => payment.askAttempt(attemptId),
      followRefund: ({ refundId }) => payment.followRefund(refundId),
      followDispute: async ({ provider, ref }) => void (await payment.followDispute(provider, ref)),
      reconcile: ({ provider }) => {
        const { askAttempt, followRefund, followDispute } = payment;
        return reconcile({ ...parts, askAttempt, followRefund, followDispute }, provider);
      },
      saveMethod: ({ attemptId, customerId }) => payment.saveMethod(attemptId, customerId),
      forgetUnsaved: ({ attemptId }) => payment.forgetUnsaved(attemptId),
      forgetMethod: ({ methodId }) => payment.forgetMethod(methodId),
      fulfilOrder: ({ orderId }) => fulfilOrder(checkoutDeps, orderId),
      expireOrder: ({ orderId }) => expireOrder(checkoutDeps, orderId),
      creditUnapplied: ({ invoiceId }) => creditUnapplied(checkoutDeps, invoiceId),
      activateSubscription: ({ subscriptionId }) => activate(parts, subscriptionId),
      renewSubscription: ({ subscriptionId }) => renewSubscription(renewDeps, subscriptionId),
      chargeRenewal: ({ invoiceId, tries }) => chargeRenewal(renewDeps, invoiceId, Number(tries)),
      placeSubscription: ({ subscriptionId }) => placeWaiting(parts, subscriptionId),
      generateDocuments: createGenerateDocuments({
        db,
        clock,
        jobs,
        brand,
        printer: createPrinter(),
        country: env.SALE_COUNTRY,
      }),
      renewServerCertificate: ({ assignmentId }) => renewServerCertificate(parts, assignmentId),
      sendEmail: createSendEmail({
        ...renewDeps,
        refundAsks: payment.refundAsks,
        renewsByItself: async (tx, of) => (await payment.collectionMethod(tx, of)) === 'chargeAutomatically',
        clock: wall,
        mailer,
        publicUrl: env.PUBLIC_URL,
        brand,
      }),
      followMove: ({ poolId }) => followMove(parts, poolId),
      sendCode: createSendCode({ ...parts.codes, mailer, publicUrl: env.PUBLIC_URL, brand }),
    },
    tasks,
    job =>
      raiseAlert(db, clock.now(), { kind: 'job.dead', subject: deadJob(job.queue, job.id), what: job.data }),
  );
}
