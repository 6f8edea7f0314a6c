import type { Endpoint } from '@fixpoint/contract/endpoint.ts';
import { type LimitName, limitOf } from '@fixpoint/contract/limits.ts';
import { includesRole } from '@fixpoint/contract/team-role.ts';
import { isConfirmed } from '@fixpoint/domain/account/session.ts';
import { workBeyond } from '@fixpoint/domain/kernel/proof-of-work.ts';
import type { Caller } from '../kernel/caller.ts';
import { isRefusal, type Refusal, refuse, wantProof } from '../kernel/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { HumanCheck } from '../ports/human-check.ts';
import type { Limits } from '../ports/limits.ts';
import { type Identify, whose } from './routes.ts';

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
  stepUpMethods(userId: string): Promise<string[]>;
};

type Counted = { ip: string; body?: { metadata?: string; invoiceId?: string } };
type Beyond = { work: number; countProof?: () => Promise<unknown> };

/**
 * Guards of every call between identification and handler: the caller's role, its rate limits, its proof of work, and
 * a recently confirmed session if required.
 */
export function createGuard(identify: Identify, deps: GuardDeps): Identify {
  const { clock, limits, humanCheck } = deps;

  /**
   * Counts a call. @returns a refusal, or the units of work that it costs beyond its limit, with the
   * counter of such calls: only calls with a proof make the next one dearer.
   */
  async function count(
    name: LimitName,
    { ip, body }: Counted,
    customerId?: string,
  ): Promise<Refusal | Beyond> {
    const { perClient, perCustomer, perOrder, countedWith = name } = limitOf(name);
    const beyondIt = 'proofOfWork' as const;
    const limit =
      (perCustomer && customerId && { ...perCustomer, who: customerId }) ||
      (perOrder && { ...perOrder, who: body?.metadata ?? body?.invoiceId, beyond: beyondIt }) ||
      (perClient && { ...perClient, who: deps.clientName(ip), beyond: beyondIt });
    if (!limit) return { work: 0 };
    const { seconds, beyond, who } = limit;
    const { count, endsIn } = await limits.hit(`calls ${countedWith}:${who}`, seconds);
    const most = limit.most * deps.scale;
    if (count <= most) return { work: 0 };
    if (!beyond) return { refusal: 'tooManyRequests', retryAfterSeconds: endsIn };
    const proofs = `proofs ${countedWith}:${who}`;
    const [{ count: proved }] = await limits.read(proofs);
    return { work: workBeyond(proved, most), countProof: () => limits.hit(proofs, seconds) };
  }

  /** A member's calls are counted for themselves, so that none of them uses up the limit of the others. */
  const countedFor = (endpoint: Endpoint, caller: Caller): string | undefined =>
    caller.role === 'member' ? caller.userId : whose(endpoint, caller);

  async function isGuarded(name: LimitName | undefined): Promise<boolean> {
    const guarded = name && limitOf(name).guarded;
    return guarded === 'always' || (guarded === 'underAttack' && (await deps.underAttack()));
  }

  return async (endpoint: Endpoint, request, reply) => {
    const caller = await identify(endpoint, request, reply);
    if (isRefusal(caller)) return caller;
    if (endpoint.role && caller.role && !includesRole(caller.role, endpoint.role)) return refuse('forbidden');
    const { humanCheck: solution } = (request.body ?? {}) as { humanCheck?: string };
    const guarded = await isGuarded(endpoint.limit);
    // Required before anything is counted, so that the repeated call counts once.
    if (guarded && solution === undefined) return wantProof();
    const beyond = endpoint.limit
      ? await count(endpoint.limit, request as Counted, countedFor(endpoint, caller))
      : { work: 0 };
    if (isRefusal(beyond)) return beyond;
    const required = Math.max(beyond.work, guarded ? 1 : 0);
    const work = solution === undefined ? 0 : await humanCheck.redeem(solution);
    if (work < required) return wantProof(required);
    await beyond.countProof?.();
    if (endpoint.stepUp && !confirmed(caller)) {
      return refuse('accessRestricted', {
        stepUp: { methods: await deps.stepUpMethods(caller.userId!) },
      });
    }
    return {
      ...caller,
      work,
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
