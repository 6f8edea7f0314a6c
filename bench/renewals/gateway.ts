import type { controlOf } from '@fixpoint/testkit/sandbox.ts';

const ANSWER_MS = 50;
/** Largest number of times that the sandbox accepts for a fault. */
const ALWAYS = 1_000_000;
const SAMPLE_MS = 100;
const SECOND_MS = 1000;

type Control = ReturnType<typeof controlOf>;

/** Kinds of calls that Stripe limits together, as paths of sandbox faults: the first match counts, the last matches the rest. */
const KINDS = [
  ...['POST /v1/payment_intents', 'GET /v1/payment_intents', 'GET /v1/payment_intents/*'],
  ...['GET /v1/charges', 'GET /v1/balance_transactions', '/v1/*'],
];

/** The sandbox sends every event; an endpoint at Stripe subscribes to some only (docs/operate/payments.md). */
const NOT_SUBSCRIBED = ['payment_intent.created', 'charge.succeeded'];

type Pending = { faults: { match: { path?: string }; times: number }[] };

/**
 * Makes the sandbox answer every call with a delay, and counts the calls.
 * @returns `most`: the highest number of calls of each kind within a second
 */
export async function slowGateway(
  control: Control,
): Promise<{ most(): ReadonlyMap<string, number>; stop(): void }> {
  for (const path of KINDS)
    await control('faults', {
      match: { provider: 'stripe', path },
      do: { delayAfterCommit: ANSWER_MS },
      times: ALWAYS,
    });
  for (const event of NOT_SUBSCRIBED) await dropEvents(control, event);
  let seen: { asked: number; calls: ReadonlyMap<string, number> }[] = [];
  const most = new Map<string, number>();
  const sampling = setInterval(async () => {
    const asked = performance.now();
    const known = await control<Pending>('faults').catch(() => undefined);
    if (!known) return;
    const calls = new Map(
      known.faults.flatMap(({ match: { path }, times }) => (path ? [[path, ALWAYS - times] as const] : [])),
    );
    // The window begins before the first sample was asked for and ends after the last: its calls came within a second.
    const since = performance.now() - SECOND_MS;
    seen = [...seen, { asked, calls }].filter(one => one.asked >= since);
    const before = seen[0]?.calls ?? calls;
    for (const [path, count] of calls)
      most.set(path, Math.max(most.get(path) ?? 0, count - (before.get(path) ?? 0)));
  }, SAMPLE_MS);
  return { most: () => most, stop: () => clearInterval(sampling) };
}

/** Drops every webhook event from now on. */
export const dropAllEvents = (control: Control) => dropEvents(control, '*');

const dropEvents = (control: Control, event: string) =>
  control('faults', { match: { provider: 'stripe', event }, do: 'drop', times: ALWAYS });
