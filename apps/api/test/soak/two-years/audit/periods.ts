import { monthsAfter } from './calendar.ts';
import type { Facts, Invoice, Period, Subscription } from './facts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Hosts serve by themselves for as long after a period; a later payment begins one of its own. */
const SERVED_AFTER_MS = 8 * DAY_MS;
/** A host runs what is paid within this time. */
const SET_UP_MS = 10 * MINUTE_MS;

/** Faults of paid periods: each invoice for a period gave one, of the right length, neither twice nor with a gap. */
export function periodFaults(facts: Facts): string[] {
  const byInvoice = new Map(facts.periods.map(period => [period.invoice_id, period]));
  const missing = facts.invoices
    .filter(one => one.status === 'paid' && (one.purpose !== 'upgrade') !== byInvoice.has(one.id))
    .filter(one => !isUndone(facts, one))
    .map(({ number, purpose }) => `${number}: a ${purpose} with the wrong number of periods`);
  return [...missing, ...facts.subscriptions.flatMap(one => chainFaults(facts, one))];
}

/** All of it was taken off before anything was delivered. */
const isUndone = ({ notes }: Facts, { id, total }: Invoice) =>
  notes.filter(({ invoice_id }) => invoice_id === id).reduce((sum, note) => sum + note.total, 0) === total;

type Anchor = { at: Date; periods: number };

function chainFaults(facts: Facts, subscription: Subscription): string[] {
  const steps = facts.steps.filter(({ subscription_id }) => subscription_id === subscription.id);
  const periods = facts.periods.filter(({ subscription_id }) => subscription_id === subscription.id);
  const faults: string[] = [];
  let anchor: Anchor = { at: new Date(0), periods: 0 };
  for (const [index, period] of periods.entries()) {
    const { paid_at } = facts.invoices.find(({ id }) => id === period.invoice_id)!;
    const name = `${subscription.id} ${period.starts_at.toISOString()}`;
    const before = periods[index - 1];
    const stopped =
      !before ||
      steps.some(({ at, to_status }) => to_status === 'expired' && at > before.starts_at && at <= paid_at!);
    const late = before && paid_at!.getTime() >= before.ends_at.getTime() + SERVED_AFTER_MS;
    if (stopped || late) {
      const waited = period.starts_at.getTime() - paid_at!.getTime();
      if (waited < 0 || waited > SET_UP_MS) faults.push(`${name}: begins ${waited} ms after its payment`);
      anchor = { at: period.starts_at, periods: 0 };
    } else if (period.starts_at.getTime() !== before.ends_at.getTime())
      faults.push(`${name}: the one before ended ${before.ends_at.toISOString()}`);
    anchor.periods += 1;
    const end = monthsAfter(anchor.at, anchor.periods * subscription.cycle_count);
    const cut = steps.find(
      ({ at, command }) => /^(withdraw|retire)$/.test(command) && at >= period.starts_at && at <= end,
    );
    if (period.ends_at.getTime() !== (cut?.at ?? end).getTime())
      faults.push(`${name}: ends ${period.ends_at.toISOString()}, not ${(cut?.at ?? end).toISOString()}`);
    if (paid_at! >= period.ends_at) faults.push(`${name}: was over when it was paid`);
  }
  return [...faults, ...endFaults(subscription, periods, steps)];
}

/** Whoever has paid is served until the end; whoever has not is not, beyond the seven days of tries. */
function endFaults({ id }: Subscription, periods: readonly Period[], steps: Facts['steps']): string[] {
  return steps
    .filter(({ to_status, command }) => to_status === 'expired' && command === 'expire')
    .flatMap(({ at }) => {
      const last = periods.filter(({ starts_at }) => starts_at <= at).at(-1)!;
      return at < last.ends_at
        ? [`${id}: expired at ${at.toISOString()}, paid until ${last.ends_at.toISOString()}`]
        : [];
    });
}
