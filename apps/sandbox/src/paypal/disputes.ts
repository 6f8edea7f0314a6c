import { findCapture } from './captures.ts';
import { emit, newId, type PaypalWorld, timeOf } from './world.ts';

/** The buyer complains of a payment, or his bank takes it back. PayPal tells of it; the money stays where it is. */
export function openDispute(
  world: PaypalWorld,
  captureId: string,
  reason = 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
): { id: string } {
  const { capture } = findCapture(world, captureId);
  const id = `PP-D-${newId(world).slice(0, 5)}`;
  emit(world, {
    event_type: 'CUSTOMER.DISPUTE.CREATED',
    resource_type: 'dispute',
    summary: `A new dispute opened with Case # ${id}`,
    resource: {
      dispute_id: id,
      create_time: timeOf(world.clock.now()),
      reason,
      status: 'OPEN',
      dispute_amount: capture.amount,
      disputed_transactions: [{ seller_transaction_id: captureId, custom: capture.custom_id }],
    },
  });
  return { id };
}
