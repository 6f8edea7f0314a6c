import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { type LimitName, limitOf } from '@fixpoint/contract/limits.ts';
import { isConfirmed } from '@fixpoint/domain/account/session.ts';
import type { Caller } from '../kernel/caller.ts';
import { isRefusal, type Refusal, refuse, wantProof } from '../kernel/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { HumanCheck } from '../ports/human-check.ts';
import type { Limits } from '../ports/limits.ts';
import type { Identify } from './routes.ts';

export type GuardDeps = {
  clock: Clock;
  limits: Limits;
  humanCheck: HumanCheck;
  /** Hash of a client address. */
  clientName(ip: string): string;
  /** Factor on the rate limits; 1 in production. */
  scale: number;
  /** Whether so many codes were wrong lately that somebody must be guessing them (S09). */
  underAttack(): Promise<boolean>;
  stepUpMethods(customerId: string): Promise<string[]>;
};

/**
 * Guards of every call between identification and handler: its rate limits, its proof of work, and
 * a recently confirmed session if required.
 */
export function createGuard(identify: Identify, deps: GuardDeps): Identify {
  const { clock, limits, humanCheck } = deps;

  async function overLimit(name: LimitName, ip: string, customerId?: string): Promise<Refusal | undefined> {
    const { perClient, perCustomer, countedWith = name, refusal = 'tooManyRequests' } = limitOf(name);
    const counted = [
      perClient && { ...perClient, who: deps.clientName(ip) },
      perCustomer && customerId && { ...perCustomer, who: customerId },
    ];
    for (const limit of counted) {
      if (!limit) continue;
      const { count, endsIn } = await limits.hit(`calls ${countedWith}:${limit.who}`, limit.seconds);
      if (count > limit.most * deps.scale) return { refusal, retryAfterSeconds: endsIn };
    }
    return undefined;
  }

  async function isGuarded(name: LimitName | undefined): Promise<boolean> {
    const guarded = name && limitOf(name).guarded;
    return guarded === 'always' || (guarded === 'underAttack' && (await deps.underAttack()));
  }

  return async (endpoint: Endpoint, request, reply) => {
    const caller = await identify(endpoint, request, reply);
    if (isRefusal(caller)) return caller;
    const { humanCheck: solution } = (request.body ?? {}) as { humanCheck?: string };
    const guarded = await isGuarded(endpoint.limit);
    // Required before anything is counted, so that the repeated call counts once.
    if (guarded && solution === undefined) return wantProof();
    if (endpoint.limit) {
      const refused = await overLimit(endpoint.limit, request.ip, caller.customerId);
      if (refused) return refused;
    }
    const proved = solution !== undefined && (await humanCheck.redeem(solution));
    if (guarded && !proved) return wantProof();
    if (endpoint.stepUp && !confirmed(caller)) {
      return refuse('accessRestricted', {
        stepUp: { methods: await deps.stepUpMethods(caller.customerId!) },
      });
    }
    return {
      ...caller,
      proved,
      // Lazy, because only log-ins use it.
      get network() {
        return deps.clientName(request.ip);
      },
    };
  };

  function confirmed({ confirmedAt }: Caller): boolean {
    return confirmedAt !== undefined && isConfirmed(confirmedAt, clock.now());
  }
}
