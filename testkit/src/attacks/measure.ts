import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Target } from './attacks.ts';

/** What was measured during some seconds, in ms. */
export type Figures = {
  /** How long the shop's program was busy with one thing: at most, and in 99 of 100 looks. */
  held: { most: number; p99: number };
  /** How long visitors waited for an answer. */
  waited: { median: number; most: number };
};
export type Measured = {
  attack: string;
  quiet: Figures;
  attacked: Figures;
  /** CPU of the shop's program for one deed: as long as one can hold it, however busy the machine is. */
  cpu: number;
  /** How often each status was answered to the attacker. */
  answers: Record<number, number>;
};

/** Between two calls of the visitors, in ms. */
const VISIT_MS = 20;

/** What the shop's monitoring says: how long the program was held since it was last asked, and the CPU it has used. */
async function readMetrics(metricsUrl: string): Promise<{ held: Figures['held']; cpu: number }> {
  const text = await (await fetch(metricsUrl)).text();
  const ms = (series: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`fixpoint_${series}`))!
        .split(' ')[1],
    ) * 1000;
  return {
    held: {
      most: ms('event_loop_held_seconds{quantile="1"}'),
      p99: ms('event_loop_held_seconds{quantile="0.99"}'),
    },
    cpu: ms('cpu_seconds{mode="user"}') + ms('cpu_seconds{mode="system"}'),
  };
}

/** Visitors look at prices and a customer at his account, until told to stop. @throws when one is not answered well */
async function visit({ ask, customer: { token } }: Target, over: AbortSignal): Promise<Figures['waited']> {
  const times: number[] = [];
  for (let n = 0; !over.aborted; n += 1) {
    const began = performance.now();
    const { status, body } =
      n % 2
        ? await ask('/v1/auth/profile', { token, from: '192.0.2.1' })
        : await ask('/v1/order/getAllPlan', { from: '192.0.2.2' });
    if (status !== 200) throw new Error(`a visitor was answered ${status}: ${body.slice(0, 300)}`);
    times.push(performance.now() - began);
    await delay(VISIT_MS);
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1]!, most: times.at(-1)! };
}

/** Does an attack's deeds until told to stop. */
async function commit(attack: Attack, target: Target, over: AbortSignal): Promise<Record<number, number>> {
  const answers: Record<number, number> = {};
  let next = 0;
  const attackers = Array.from({ length: attack.parallel }, async () => {
    while (!over.aborted) {
      const { status } = await attack.deed(target, next++);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  });
  await Promise.all(attackers);
  return answers;
}

/**
 * Measures how long the shop's program is held, and how long others wait, without an attack and under it.
 * @param metricsUrl of the shop's monitoring
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
    const [waited, answers] = await Promise.all([
      visit(target, over),
      attacked ? commit(attack, target, over) : ({} as Record<number, number>),
    ]);
    const { held, cpu } = await readMetrics(metricsUrl);
    return { figures: { waited, held }, answers, cpu: cpu - before.cpu };
  };
  const { figures: quiet, cpu: resting } = await during(false);
  const { figures: attacked, cpu, answers } = await during(true);
  const deeds = Object.values(answers).reduce((sum, count) => sum + count, 0);
  return { attack: attack.name, quiet, attacked, answers, cpu: Math.max(0, cpu - resting) / deeds };
}
