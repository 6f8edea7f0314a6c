import { undoTokenOf } from '../modules/account/index.ts';
import { deadJob, deliverAlert, raiseAlert } from '../modules/alert/index.ts';
import { reconcile } from '../modules/books/index.ts';
import { creditUnapplied, expireOrder, fulfilOrder, orderEmailed } from '../modules/checkout/index.ts';
import { createGenerateDocuments } from '../modules/document/index.ts';
import {
  createSendCode,
  createSendCollected,
  createSendEmail,
  createSendInvitation,
  createSendPlaceNotice,
} from '../modules/email/index.ts';
import { followMigration, renewServerCertificate } from '../modules/provisioning/index.ts';
import { chargeRenewal, placeWaiting, renewSubscription } from '../modules/subscription/index.ts';
import type { Adapters } from './adapters.ts';
import type { Parts } from './parts.ts';
import type { ShopTasks } from './scheduled-tasks.ts';

/**
 * Runs jobs and scheduled tasks.
 * @param activate activates a subscription whose tunnel is up
 */
export function startWorker(
  parts: Parts,
  { tasks, runAllTasks }: ShopTasks,
  { createDocumentRenderer }: Adapters,
  activate: (subscriptionId: string) => Promise<void>,
): Promise<void> {
  const { env, db, clock, systemClock, jobs, live, mailer, payment, checkoutDeps } = parts;
  const brand = {
    name: env.BRAND_NAME,
    support: env.SUPPORT_EMAIL,
    colours: { links: env.BRAND_COLOR, action: env.BRAND_ACTION_COLOR },
  };
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
  const emailDeps = {
    ...renewDeps,
    refundAsks: payment.refundAsks,
    willBeCharged: payment.willBeCharged,
    payToken: payment.payToken,
    undoEmailToken: (changeId: string) => undoTokenOf(parts.accountDeps, changeId),
    accepted: (job: Parameters<typeof orderEmailed>[1]) => orderEmailed(parts, job),
    systemClock,
    mailer,
    publicUrl: env.PUBLIC_URL,
    brand,
  };
  return jobs.work(
    {
      runAllTasks: () => runAllTasks(({ interval }) => interval !== 'day'),
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
      activateSubscription: ({ subscriptionId }) => activate(subscriptionId),
      renewSubscription: ({ subscriptionId }) => renewSubscription(renewDeps, subscriptionId),
      chargeRenewal: ({ invoiceId, tries }) => chargeRenewal(renewDeps, invoiceId, Number(tries)),
      placeSubscription: ({ subscriptionId }) => placeWaiting(parts, subscriptionId),
      generateDocuments: createGenerateDocuments({
        db,
        clock,
        jobs,
        brand,
        willBeCharged: payment.willBeCharged,
        renderer: createDocumentRenderer({ logo: env.BRAND_LOGO, links: env.BRAND_COLOR }),
        country: env.SALE_COUNTRY,
        payUrl: ({ subscriptionId, language }) =>
          `${env.PUBLIC_URL}/#/${language}/management/subscription/${subscriptionId}/pay`,
      }),
      renewServerCertificate: ({ assignmentId }) => renewServerCertificate(parts, assignmentId),
      sendEmail: createSendEmail(emailDeps),
      sendCollected: createSendCollected(emailDeps),
      followMove: ({ poolId }) => followMigration(parts, poolId),
      sendCode: createSendCode({ ...parts.codes, mailer, publicUrl: env.PUBLIC_URL, brand }),
      deliverAlert: ({ deliveryId }) => deliverAlert(parts, deliveryId),
      sendInvitation: createSendInvitation({ db, systemClock, mailer, publicUrl: env.PUBLIC_URL, brand }),
      sendPlaceNotice: createSendPlaceNotice({ db, clock, mailer, publicUrl: env.PUBLIC_URL, brand }),
    },
    tasks,
    async ({ queue, id, data }) => {
      // Its channel has an alert of its own.
      if (queue === 'deliverAlert') return;
      await raiseAlert(db, clock.now(), { kind: 'job.dead', subject: deadJob(queue, id), what: data });
    },
  );
}
