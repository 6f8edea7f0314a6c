import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { takesAmount } from '@fixpoint/domain/payment/amount-limits.ts';
import {
  CheckoutPaymentIntent,
  type OrderRequest,
  PaymentInitiator,
  PaypalExperienceUserAction,
  PaypalPaymentTokenUsageType,
  type PaypalWallet,
  PaypalWalletContextShippingPreference,
  StoredPaymentSourceUsageType,
  StoreInVaultInstruction,
  UsagePattern,
} from '@paypal/paypal-server-sdk';
import {
  type AttemptRef,
  nothingMade,
  type PaymentGateway,
  type RefundRef,
  type Reported,
  type ReportedRefund,
} from '../../ports/payment-gateway.ts';
import { createCertificates, type ProvenUrls } from './certificates.ts';
import { type PaypalClient, PaypalRefused, reach, unlessRefused } from './client.ts';
import { askDispute } from './disputes.ts';
import { moneyOf } from './money.ts';
import { paymentOf, refundOf } from './objects.ts';
import { refusedRefund } from './refund-refusals.ts';
import type { PaypalSettings } from './settings.ts';
import { orderPaidAs } from './transactions.ts';
import { webhookEventsOf } from './webhook.ts';

/** Requests the whole object instead of its id. */
const WHOLE = 'return=representation';

/** PayPal accounts: the buyer approves on PayPal's page, then we capture the money. */
export function createPaypal(client: PaypalClient, proved: ProvenUrls): PaymentGateway {
  const { orders, payments, vault, settings } = client;
  const certificates = createCertificates(settings, proved);

  const unlessUnknown = <T>(found: Promise<T>) => unlessRefused(found, 404);
  const orderNow = (id: string) => reach(orders.getOrder({ id }));
  const askOrder = async (ref: string): Promise<Reported> => paymentOf(await orderNow(ref));

  async function askRefund({ id, paymentRef, providerRef }: RefundRef): Promise<ReportedRefund | 'unknown'> {
    if (providerRef) {
      const refund = await unlessUnknown(reach(payments.getRefund({ refundId: providerRef })));
      return refund === 'unknown' ? refund : refundOf(refund);
    }
    const order = await unlessUnknown(orderNow(paymentRef));
    if (order === 'unknown') return order;
    const found = order.purchaseUnits?.[0]?.payments?.refunds?.find(({ customId }) => customId === id);
    return found ? refundOf(found) : 'unknown';
  }

  return {
    method: 'paypal',
    provider: 'paypal',
    renewsByItself: settings.keepsAccounts,
    unapplied: 'refund',
    takes: (currency, amount) =>
      takesAmount('paypal', currency, amount, { minimumByCard: minimumByCard(currency) }),

    async start(attempt) {
      const made = orders.createOrder({
        // PayPal stores no fault under a request id, so a saved account, which may have been
        // charged, keeps one id for good.
        paypalRequestId: attempt.savedRef ? attempt.id : attempt.key,
        prefer: WHOLE,
        body: orderRequest(attempt, settings),
      });
      try {
        return paymentOf(await reach(made));
      } catch (error) {
        // Created before by a call whose request id PayPal has forgotten.
        const twice = error instanceof PaypalRefused && error.issue === 'DUPLICATE_INVOICE_ID';
        const before = twice && (await orderPaidAs(client, attempt.id));
        if (before) return askOrder(before);
        // A saved account is charged at once or never: no payable order was created.
        if (attempt.savedRef && isRefusal(error)) return { ...nothingMade(attempt), decline: error.issue };
        throw error;
      }
    },

    // Without an id, only a charge of a saved account can have paid; it is looked up by our own id.
    async ask({ id, providerRef, bySaved }) {
      const ref = providerRef ?? (bySaved ? await orderPaidAs(client, id) : undefined);
      return ref ? unlessUnknown(askOrder(ref)) : 'unknown';
    },

    async capture(attempt) {
      const id = attempt.providerRef!;
      try {
        const taken = orders.captureOrder({ id, paypalRequestId: `${attempt.key}-capture`, prefer: WHOLE });
        return paymentOf(await reach(taken));
      } catch (error) {
        if (!(error instanceof PaypalRefused)) throw error;
        if (error.issue === 'ORDER_ALREADY_CAPTURED' || error.issue === 'ORDER_NOT_APPROVED')
          return askOrder(id);
        if (error.issue === 'ORDER_COMPLETION_IN_PROGRESS') return refused(attempt, id, 'processing');
        if (error.status === 404 || isRefusal(error)) return refused(attempt, id, 'failed', error.issue);
        throw error;
      }
    },

    async refund(refund) {
      const { id, key, currency, amount } = refund;
      const captureId = refund.chargeRef ?? (await askOrder(refund.paymentRef)).chargeRef ?? '';
      const body = { amount: moneyOf(currency, amount), customId: id, invoiceId: id };
      try {
        const made = payments.refundCapturedPayment({ captureId, paypalRequestId: key, prefer: WHOLE, body });
        return refundOf(await reach(made));
      } catch (error) {
        // Created before by a call whose request id PayPal has forgotten.
        const twice = error instanceof PaypalRefused && error.issue === 'DUPLICATE_INVOICE_ID';
        const found = twice && (await askRefund(refund));
        return found && found !== 'unknown' ? found : refusedRefund(error);
      }
    },

    forget: async savedRef => void (await unlessUnknown(reach(vault.deletePaymentToken(savedRef)))),

    askRefund,

    askDispute: ref => askDispute(client, ref),

    readWebhook: (body, headers, network) =>
      webhookEventsOf(settings.webhookId, certificates, { body, headers, network }),
  };
}

/**
 * Whether the payer or PayPal declined. A second payment for one invoice is our own mistake and
 * needs attention.
 */
const isRefusal = (error: unknown): error is PaypalRefused =>
  error instanceof PaypalRefused && error.status === 422 && error.issue !== 'DUPLICATE_INVOICE_ID';

const refused = (
  { currency, amount }: AttemptRef,
  ref: string,
  state: Reported['state'],
  decline?: string,
): Reported => ({ ref, state, currency, amount, received: 0, ...(decline && { decline }) });

/**
 * Contains nothing that a person can change, because the same request id must come with the same
 * request.
 */
function orderRequest(attempt: AttemptRef, settings: PaypalSettings): OrderRequest {
  const { id, number, invoiceReference, currency, amount, savedRef, byLink } = attempt;
  return {
    intent: CheckoutPaymentIntent.Capture,
    purchaseUnits: [
      {
        amount: moneyOf(currency, amount),
        description: invoiceReference,
        customId: id,
        // PayPal refuses a second payment with the same invoice id.
        invoiceId: `${invoiceReference}-${number}`,
      },
    ],
    paymentSource: { paypal: savedRef ? bySavedAccount(savedRef) : byApproval(settings, !byLink) },
  };
}

const bySavedAccount = (vaultId: string): PaypalWallet => ({
  vaultId,
  storedCredential: {
    paymentInitiator: PaymentInitiator.Merchant,
    usage: StoredPaymentSourceUsageType.Subsequent,
    usagePattern: UsagePattern.SubscriptionPrepaid,
  },
});

const byApproval = (
  { keepsAccounts, brandName, returnUrl, cancelUrl }: PaypalSettings,
  savesMethod: boolean,
): PaypalWallet => ({
  experienceContext: {
    brandName,
    returnUrl,
    cancelUrl,
    userAction: PaypalExperienceUserAction.PayNow,
    shippingPreference: PaypalWalletContextShippingPreference.NoShipping,
  },
  ...(keepsAccounts &&
    savesMethod && {
      attributes: {
        vault: {
          storeInVault: StoreInVaultInstruction.OnSuccess,
          usageType: PaypalPaymentTokenUsageType.Merchant,
          usagePattern: UsagePattern.SubscriptionPrepaid,
        },
      },
    }),
});
