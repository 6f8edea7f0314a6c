import { bookCharge } from './booking.ts';
import { openDispute } from './disputes.ts';
import { canSettle, settleRefund } from './refunds.ts';
import { noRequest, type Task, type World } from './world.ts';

/** Runs every task that is due by the sandbox's clock, in the order they fall due. */
export function runDueTasks(world: World): void {
  const now = world.clock.now();
  const due = world.tasks.all().filter(task => task.due <= now);
  for (const task of due.sort((a, b) => a.due - b.due)) {
    world.tasks.delete(task.id);
    run(world, task);
  }
}

function run(world: World, { what }: Task): void {
  switch (what.kind) {
    case 'bookCharge':
      bookCharge(world, noRequest, what.charge);
      return;
    case 'settleRefund': {
      const refund = world.refunds.get(what.refund)!;
      // It may have been settled by hand meanwhile.
      if (canSettle(refund, what.outcome)) settleRefund(world, noRequest, refund, what.outcome);
      return;
    }
    case 'openDispute':
      // The charge may have been disputed by hand meanwhile.
      if (!world.charges.get(what.charge)?.disputed) {
        openDispute(world, noRequest, what.charge, what);
      }
      return;
  }
}
