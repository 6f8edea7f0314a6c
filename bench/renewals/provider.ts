import type { controlOf } from '@fixpoint/testkit/sandbox.ts';

const ANSWER_MS = 50;
/** As often as the stand-in takes such an order. */
const ALWAYS = 1_000_000;
const LOOK_MS = 100;
const SECOND_MS = 1000;

type Control = ReturnType<typeof controlOf>;

/** What Stripe counts together, as the stand-in's faults name it; the first that fits counts, and the last is all others. */
const KINDS = [
  ...['POST /v1/payment_intents', 'GET /v1/payment_intents', 'GET /v1/payment_intents/*'],
  ...['GET /v1/charges', 'GET /v1/balance_transactions', '/v1/*'],
];

/** The stand-in tells everything; a shop's endpoint at Stripe hears only what it is set to (docs/operate/payments.md). */
const NOT_TOLD = ['payment_intent.created', 'charge.succeeded'];

type Waiting = { faults: { match: { path?: string }; times: number }[] };

/**
 * The stand-in answers every call a while after it was carried out.
 * @returns how many calls of each kind it has seen in a second at most, of those that came
 */
export async function slowProvider(
  control: Control,
): Promise<{ most(): ReadonlyMap<string, number>; stop(): void }> {
  for (const path of KINDS)
    await control('faults', {
      match: { provider: 'stripe', path },
      do: { delayAfterCommit: ANSWER_MS },
      times: ALWAYS,
    });
  for (const event of NOT_TOLD) await dropEvents(control, event);
  let seen: { asked: number; calls: ReadonlyMap<string, number> }[] = [];
  const most = new Map<string, number>();
  const look = setInterval(async () => {
    const asked = performance.now();
    const known = await control<Waiting>('faults').catch(() => undefined);
    if (!known) return;
    const calls = new Map(
      known.faults.flatMap(({ match: { path }, times }) => (path ? [[path, ALWAYS - times] as const] : [])),
    );
    // From before a first answer to after a last one: what came between came within a second.
    const since = performance.now() - SECOND_MS;
    seen = [...seen, { asked, calls }].filter(one => one.asked >= since);
    const before = seen[0]?.calls ?? calls;
    for (const [path, count] of calls)
      most.set(path, Math.max(most.get(path) ?? 0, count - (before.get(path) ?? 0)));
  }, LOOK_MS);
  return { most: () => most, stop: () => clearInterval(look) };
}

/** What happens there from now on is told to nobody. */
export const silence = (control: Control) => dropEvents(control, '*');

const dropEvents = (control: Control, event: string) =>
  control('faults', { match: { provider: 'stripe', event }, do: 'drop', times: ALWAYS });
