import { accounted, accountOf, markable, sumOf } from './account.ts';
import { DUST, satoshiOf } from './amounts.ts';
import { BtcpayRefusal, WrongParameters } from './errors.ts';
import { paymentModel } from './models.ts';
import { type BtcpayState, emit, type Invoice, type Payment, rateOf } from './state.ts';

/** BTCPay checks an invoice a second after its expiry. */
const LOOK_AFTER_MS = 1_000;

/** Creates an invoice at the current rate. Throws for a currency without one, and for dust. */
export function createInvoice(
  state: BtcpayState,
  wanted: Pick<Invoice, 'price' | 'currency' | 'metadata' | 'checkout'> & {
    lifetimeSeconds: number;
    monitoringSeconds: number;
  },
): Invoice {
  const { lifetimeSeconds, monitoringSeconds, ...said } = wanted;
  const rate = rateOf(state, said.currency);
  if (rate === undefined) throw new BtcpayRefusal(400, 'generic-error', 'No payment method available');
  if (said.price > 0 && satoshiOf(said.price, rate) < DUST) {
    // BTCPayServer/Payments/Bitcoin/BitcoinLikePaymentHandler.cs (ConfigurePrompt) drops the payment
    // method, and Controllers/UIInvoiceController.cs refuses an invoice that is left without one.
    throw new BtcpayRefusal(
      400,
      'generic-error',
      'Error retrieving a matching payment method or rate.\nBTC-CHAIN: Payment method unavailable (Amount below the dust threshold. For amounts of this size, it is recommended to enable an off-chain (Lightning) payment method)\n',
    );
  }
  const createdAt = state.clock.seconds();
  const expiresAt = createdAt + lifetimeSeconds;
  const id = state.ids.next('', 22);
  const invoice = state.invoices.put(id, {
    id,
    createdAt,
    expiresAt,
    monitoredUntil: expiresAt + monitoringSeconds,
    ...said,
    rate,
    // A test network address with an invalid checksum: no wallet can pay it.
    address: `bcrt1q${state.ids.next('', 38).toLowerCase()}`,
    status: 'New',
    additionalStatus: 'None',
    payments: [],
  });
  publishEvent(state, invoice, 'InvoiceCreated');
  watchLater(state, invoice);
  return invoice;
}

/** Schedules the checks of an invoice at its times; also after a restart. */
export function watchLater(state: BtcpayState, { id, expiresAt, monitoredUntil }: Invoice): void {
  for (const end of [expiresAt, monitoredUntil]) {
    state.schedule.at(end * 1000 + LOOK_AFTER_MS, () => {
      const invoice = state.invoices.get(id);
      if (invoice) watch(state, invoice);
    });
  }
}

/**
 * Records coins sent to the invoice's address, whatever its state: an address stays valid. Throws
 * for dust, which no node relays.
 */
export function receive(state: BtcpayState, invoice: Invoice, satoshi: number): Payment {
  if (satoshi < DUST)
    throw new BtcpayRefusal(400, 'dust', `${satoshi} satoshi are dust, which no node relays`);
  const payment: Payment = {
    id: `${state.ids.next('', 64).toLowerCase()}-0`,
    satoshi,
    receivedAt: state.clock.seconds(),
    status: 'Processing',
  };
  const paid = state.invoices.put(invoice.id, { ...invoice, payments: [...invoice.payments, payment] });
  tellPayment(state, paid, 'InvoiceReceivedPayment', payment);
  watch(state, paid);
  return payment;
}

/**
 * Moves transactions of an invoice: confirmed by a block, replaced by another transaction, or
 * removed from the chain with their block. A settled invoice stays settled without its coins, and
 * no event tells: UpdateInvoice in BTCPayServer/HostedServices/InvoiceWatcher.cs leaves it alone.
 */
export function movePayments(
  state: BtcpayState,
  invoice: Invoice,
  status: Payment['status'],
  of: (payment: Payment) => boolean,
): void {
  const moving = invoice.payments.filter(payment => payment.status !== status && of(payment));
  const moved = state.invoices.put(invoice.id, {
    ...invoice,
    payments: invoice.payments.map(one => (moving.includes(one) ? { ...one, status } : one)),
  });
  if (status === 'Settled') {
    for (const payment of moving) {
      tellPayment(state, moved, 'InvoicePaymentSettled', { ...payment, status });
    }
  }
  watch(state, moved);
}

/**
 * Marks an invoice, as a person or the shop's API does. Throws where the state does not allow it.
 */
export function mark(state: BtcpayState, invoice: Invoice, status: 'Invalid' | 'Settled'): Invoice {
  if (!markable(invoice).includes(status)) {
    throw new WrongParameters([
      {
        path: 'status',
        message: 'Status can only be marked to invalid or settled within certain conditions.',
      },
    ]);
  }
  const marked = state.invoices.put(invoice.id, { ...invoice, status, additionalStatus: 'Marked' });
  publishEvent(state, marked, `Invoice${status}`, {
    manuallyMarked: true,
    ...(status === 'Settled' && { overPaid: false }),
  });
  return marked;
}

/** Takes all due steps with their events (InvoiceWatcher of BTCPay 2.4). */
export function watch(state: BtcpayState, given: Invoice): void {
  let invoice = given;
  for (let step = next(state, invoice); step; step = next(state, invoice)) {
    invoice = state.invoices.put(invoice.id, { ...invoice, ...step.change });
    for (const [type, more] of step.events) publishEvent(state, invoice, type, more);
  }
}

type Step = { change: Partial<Invoice>; events: [type: string, more?: object][] };

function next(state: BtcpayState, invoice: Invoice): Step | undefined {
  const { status, additionalStatus } = invoice;
  const { due } = accountOf(invoice);
  const now = state.clock.seconds();
  const over = due < 0;
  if (status === 'New' && invoice.expiresAt <= now && due > 0) {
    const partial = additionalStatus === 'PaidPartial';
    return {
      change: { status: 'Expired' },
      events: [
        ['InvoiceExpired', { partiallyPaid: partial }],
        ...(partial ? [['InvoiceExpiredPaidPartial'] as [string]] : []),
      ],
    };
  }
  if (status === 'New' && due <= 0) {
    return {
      change: { status: 'Processing', additionalStatus: over ? 'PaidOver' : 'None' },
      events: [['InvoiceProcessing', { overPaid: over }]],
    };
  }
  if (status === 'Expired' && due <= 0 && additionalStatus !== 'PaidLate') {
    return { change: { additionalStatus: 'PaidLate' }, events: [['InvoicePaidAfterExpiration']] };
  }
  if (status === 'New' || status === 'Expired') {
    const partial = due > 0 && accounted(invoice).length > 0;
    if (partial && additionalStatus !== 'PaidPartial')
      return { change: { additionalStatus: 'PaidPartial' }, events: [] };
    if (!partial && due > 0 && additionalStatus === 'PaidPartial')
      return { change: { additionalStatus: 'None' }, events: [] };
  }
  return status === 'Processing' ? nextOfPaid(invoice, due, now) : undefined;
}

function nextOfPaid(invoice: Invoice, due: number, now: number): Step | undefined {
  if (due > 0) {
    // Another transaction has replaced the payment.
    const additionalStatus = accounted(invoice).length > 0 ? 'PaidPartial' : 'None';
    return { change: { status: 'New', additionalStatus }, events: [] };
  }
  const flag = due < 0 ? 'PaidOver' : 'None';
  if (invoice.additionalStatus !== flag) return { change: { additionalStatus: flag }, events: [] };
  const unconfirmed = sumOf(invoice.payments.filter(({ status }) => status === 'Processing'));
  if (due + unconfirmed <= 0) {
    return {
      change: { status: 'Settled' },
      events: [['InvoiceSettled', { manuallyMarked: false, overPaid: flag === 'PaidOver' }]],
    };
  }
  if (invoice.monitoredUntil < now) {
    return { change: { status: 'Invalid' }, events: [['InvoiceInvalid', { manuallyMarked: false }]] };
  }
  return undefined;
}

function publishEvent(state: BtcpayState, { id, metadata }: Invoice, type: string, more: object = {}): void {
  emit(state, { type, storeId: state.storeId, invoiceId: id, metadata, ...more });
}

function tellPayment(state: BtcpayState, invoice: Invoice, type: string, payment: Payment): void {
  publishEvent(state, invoice, type, {
    afterExpiration: invoice.status === 'Expired' || invoice.status === 'Invalid',
    paymentMethodId: 'BTC-CHAIN',
    payment: paymentModel(invoice, payment),
  });
}
