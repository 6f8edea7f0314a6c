import { lapseQuestion } from './answers.ts';
import { bookCharge } from './booking.ts';
import { openDispute } from './disputes.ts';
import { canArrive, settlePayout } from './payouts.ts';
import { canSettle, settleRefund } from './refunds.ts';
import { noRequest, type StripeState, type Task } from './state.ts';

/** Runs every task that is due by the sandbox's clock, in order. */
export function runDueTasks(state: StripeState): void {
  const now = state.clock.now();
  const due = state.tasks.all().filter(task => task.due <= now);
  for (const task of due.sort((a, b) => a.due - b.due)) {
    state.tasks.delete(task.id);
    run(state, task);
  }
}

function run(state: StripeState, { what }: Task): void {
  switch (what.kind) {
    case 'bookCharge':
      bookCharge(state, noRequest, what.charge);
      return;
    case 'settleRefund': {
      const refund = state.refunds.get(what.refund)!;
      // A test may have settled it already.
      if (canSettle(refund, what.outcome)) settleRefund(state, noRequest, refund, what.outcome);
      return;
    }
    case 'payOut': {
      const payout = state.payouts.get(what.payout)!;
      if (canArrive(payout, 'paid')) settlePayout(state, noRequest, payout, 'paid');
      return;
    }
    case 'lapse':
      lapseQuestion(state, noRequest, what);
      return;
    case 'openDispute':
      // A test may have disputed the charge already.
      if (!state.charges.get(what.charge)?.disputed) {
        openDispute(state, noRequest, what.charge, what);
      }
      return;
  }
}
