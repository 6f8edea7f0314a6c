import type {
  AttemptRef,
  MethodFacts,
  RefundRef,
  RefusedRefund,
  Reported,
  ReportedRefund,
} from '@fixpoint/api/ports/payment-gateway.ts';
import { until } from './buyer.ts';
import type { GatewayDriver } from './gateway-driver.ts';

export const AMOUNT = 199_00;

/** A payment that exists at the provider: it has a reference there. */
export type Payment = Reported & { ref: string };

/** A refund that its provider accepted. @throws when it refused it */
export function accepted(refund: ReportedRefund | RefusedRefund): ReportedRefund {
  if ('refused' in refund) throw new Error(`The refund was refused: ${refund.failure}`);
  return refund;
}

/** Attempts, payments and refunds through one gateway, each with its own id, as the shop creates them. */
export function gatewayPayments({ gateway, currencies, pay }: GatewayDriver) {
  let count = 0;
  const currency = currencies[0]!;

  async function newAttempt(change: Partial<AttemptRef> = {}): Promise<AttemptRef> {
    count += 1;
    const id = `att_${count}`;
    const payer = { id: `pay_${count}`, key: `pay_${count}-1` };
    return {
      id,
      number: 1,
      invoiceId: `inv_${count}`,
      invoiceReference: `R-${count}`,
      currency,
      amount: AMOUNT,
      key: `${id}-1`,
      email: 'payer@example.com',
      gatewayCustomerRef: (await gateway.createGatewayCustomer?.(payer)) ?? '',
      savedRef: null,
      bySaved: (change.savedRef ?? null) !== null,
      providerRef: null,
      ...change,
    };
  }

  const start = async (attempt: AttemptRef): Promise<Payment> => named(await gateway.start(attempt));

  async function started(change: Partial<AttemptRef> = {}) {
    const attempt = await newAttempt(change);
    const payment = await start(attempt);
    return { attempt: { ...attempt, providerRef: payment.ref }, payment };
  }

  async function known(attempt: AttemptRef): Promise<Payment> {
    const reported = await gateway.ask(attempt);
    if (reported === 'unknown') throw new Error('The provider does not know its own payment');
    return named(reported);
  }

  /** State of a payment after an approved one has been captured. */
  async function taken(attempt: AttemptRef): Promise<Payment> {
    const reported = await known(attempt);
    return reported.state === 'approved' ? named(await gateway.capture!(attempt)) : reported;
  }

  async function paid(change: Partial<AttemptRef> = {}) {
    const { attempt, payment } = await started(change);
    await pay(payment);
    const reported = await until(async () => {
      const now = await taken(attempt);
      return now.state === 'succeeded' && now;
    }, 'the money');
    return { attempt, payment, reported };
  }

  function refundOf({ ref, chargeRef }: Payment, change: Partial<RefundRef> = {}): RefundRef {
    count += 1;
    const id = `ref_${count}`;
    return {
      id,
      key: `${id}-1`,
      paymentRef: ref,
      chargeRef: chargeRef ?? null,
      currency,
      amount: AMOUNT,
      providerRef: null,
      ...change,
    };
  }

  return { newAttempt, start, started, known, taken, paid, refundOf };
}

export type GatewayPayments = ReturnType<typeof gatewayPayments>;

function named(reported: Reported): Payment {
  const { ref } = reported;
  if (ref === null) throw new Error('The provider has made nothing');
  return { ...reported, ref };
}

/** The reusable method of a payment. @throws when it cannot be charged again */
export function methodOf({ method }: Reported): MethodFacts {
  if (!method || method === 'later') throw new Error(`What paid can be used again: ${method ?? 'never'}`);
  return method;
}
