import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Target } from './attacks.ts';

/** Measurements of some seconds, in ms. */
export type Figures = {
  /** Event-loop delay of the shop: maximum and 99th percentile. */
  eventLoopDelay: { max: number; p99: number };
  /** Time that visitors waited for an answer. */
  latency: { median: number; max: number };
};
export type Measured = {
  attack: string;
  baseline: Figures;
  underAttack: Figures;
  /** CPU time of the shop per action, in ms; it does not depend on the machine's load. */
  cpu: number;
  /** Number of answers to the attacker by HTTP status; 0: cut off. */
  answers: Record<number, number>;
};

/** Pause between two requests of the visitors, in ms. */
const VISIT_MS = 20;

/** Reads the shop's metrics: event-loop delay since the last scrape, and CPU time. */
async function readMetrics(
  metricsUrl: string,
): Promise<{ eventLoopDelay: Figures['eventLoopDelay']; cpu: number }> {
  const text = await (await fetch(metricsUrl)).text();
  const ms = (series: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`fixpoint_${series}`))!
        .split(' ')[1],
    ) * 1000;
  return {
    eventLoopDelay: {
      max: ms('event_loop_held_seconds{quantile="1"}'),
      p99: ms('event_loop_held_seconds{quantile="0.99"}'),
    },
    cpu: ms('cpu_seconds{mode="user"}') + ms('cpu_seconds{mode="system"}'),
  };
}

/** Requests prices as a visitor and a profile as a customer until aborted. @throws when an answer is not 200 */
async function measureVisitors(
  { send, customer: { token } }: Target,
  over: AbortSignal,
): Promise<Figures['latency']> {
  const times: number[] = [];
  for (let n = 0; !over.aborted; n += 1) {
    const began = performance.now();
    const { status, body } =
      n % 2
        ? await send('/v1/auth/profile', { token, from: '192.0.2.1' })
        : await send('/v1/order/getAllPlan', { from: '192.0.2.2' });
    if (status !== 200) throw new Error(`a visitor was answered ${status}: ${body.slice(0, 300)}`);
    times.push(performance.now() - began);
    await delay(VISIT_MS);
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1]!, max: times.at(-1)! };
}

/** Repeats an attack's action until aborted. */
async function runAttack(attack: Attack, target: Target, over: AbortSignal): Promise<Record<number, number>> {
  const answers: Record<number, number> = {};
  let next = 0;
  const attackers = Array.from({ length: attack.parallel }, async () => {
    while (!over.aborted) {
      const { status } = await attack.action(target, next++);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  });
  await Promise.all(attackers);
  return answers;
}

/**
 * Measures event-loop delay and visitors' latency without and under an attack.
 * @param metricsUrl of the shop
 */
export async function measureAttack(
  attack: Attack,
  target: Target,
  metricsUrl: string,
  seconds: number,
): Promise<Measured> {
  const during = async (attacked: boolean) => {
    const before = await readMetrics(metricsUrl);
    const over = AbortSignal.timeout(seconds * 1000);
    const [latency, answers] = await Promise.all([
      measureVisitors(target, over),
      attacked ? runAttack(attack, target, over) : ({} as Record<number, number>),
    ]);
    const { eventLoopDelay, cpu } = await readMetrics(metricsUrl);
    return { figures: { latency, eventLoopDelay }, answers, cpu: cpu - before.cpu };
  };
  const { figures: baseline, cpu: idleCpu } = await during(false);
  const { figures: underAttack, cpu, answers } = await during(true);
  const count = Object.values(answers).reduce((sum, count) => sum + count, 0);
  return {
    attack: attack.name,
    baseline,
    underAttack,
    answers,
    cpu: Math.max(0, cpu - idleCpu) / count,
  };
}
