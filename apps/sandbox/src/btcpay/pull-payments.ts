import { DUST, satoshiOf } from './amounts.ts';
import { BtcpayRefusal, WrongParameters } from './errors.ts';
import { type BtcpayState, emit, type Invoice, type Payout, type PullPayment, rateOf } from './state.ts';

/** Whether an invoice has money that can be refunded. */
const refundable = ({ status, additionalStatus }: Invoice): boolean =>
  status === 'Settled' ||
  status === 'Invalid' ||
  (status === 'Expired' && ['PaidLate', 'PaidOver', 'PaidPartial'].includes(additionalStatus));

/**
 * Creates a refund that the holder of its link can claim. BTCPay does not limit the sum of refunds.
 */
export function refundInvoice(
  state: BtcpayState,
  invoice: Invoice,
  wanted: { name: string; description: string; amount: number; currency: string },
): PullPayment {
  if (!refundable(invoice)) throw new BtcpayRefusal(400, 'non-refundable', 'Cannot refund this invoice');
  const id = state.ids.next('', 27);
  const pull = state.pullPayments.put(id, {
    id,
    invoice: invoice.id,
    ...wanted,
    createdAt: state.clock.seconds(),
    archived: false,
    payouts: [],
  });
  emit(state, {
    type: 'InvoiceRefund',
    storeId: state.storeId,
    invoiceId: invoice.id,
    metadata: invoice.metadata,
    pullPaymentId: id,
  });
  return pull;
}

const claimed = ({ payouts }: PullPayment): number =>
  payouts.reduce((sum, { state, amount }) => (state === 'Cancelled' ? sum : sum + amount), 0);

/** Sets the address that the holder of the link names; an operator must approve it. */
export function claim(
  state: BtcpayState,
  pull: PullPayment,
  destination: string,
  amount = pull.amount - claimed(pull),
): Payout {
  if (!destination)
    throw new WrongParameters([{ path: 'destination', message: 'The destination is invalid' }]);
  if (pull.archived) throw new BtcpayRefusal(400, 'archived', 'This pull payment has been archived');
  if (amount <= 0 || claimed(pull) + amount > pull.amount)
    throw new BtcpayRefusal(400, 'overdraft', 'The payout amount overdraft the pull payment limit');
  const payout: Payout = {
    id: state.ids.next('', 27),
    destination,
    amount,
    createdAt: state.clock.seconds(),
    state: 'AwaitingApproval',
  };
  state.pullPayments.put(pull.id, { ...pull, payouts: [...pull.payouts, payout] });
  publishEvent(state, pull, payout, 'PayoutCreated');
  return payout;
}

/**
 * The operator pays or cancels the claims. Dust is cancelled when they approve it (HandleApproval in
 * BTCPayServer/HostedServices/PullPaymentHostedService.cs).
 */
export function settlePayouts(
  state: BtcpayState,
  pull: PullPayment,
  outcome: 'Completed' | 'Cancelled',
): void {
  const open = pull.payouts.filter(one => one.state !== 'Completed' && one.state !== 'Cancelled');
  const rate = rateOf(state, pull.currency);
  const isDust = ({ amount }: Payout) => rate !== undefined && satoshiOf(amount, rate) < DUST;
  const payouts = pull.payouts.map(one =>
    open.includes(one) ? { ...one, state: isDust(one) ? ('Cancelled' as const) : outcome } : one,
  );
  const settled = state.pullPayments.put(pull.id, { ...pull, payouts });
  for (const { id } of open)
    publishEvent(state, settled, payouts.find(one => one.id === id)!, 'PayoutUpdated');
}

/** Archives a refund: no new claims, and unpaid ones are cancelled. */
export function archive(state: BtcpayState, pull: PullPayment): void {
  settlePayouts(state, pull, 'Cancelled');
  state.pullPayments.put(pull.id, { ...state.pullPayments.get(pull.id)!, archived: true });
}

function publishEvent(state: BtcpayState, pull: PullPayment, payout: Payout, type: string): void {
  emit(state, {
    type,
    storeId: state.storeId,
    payoutId: payout.id,
    pullPaymentId: pull.id,
    payoutState: payout.state,
  });
}
