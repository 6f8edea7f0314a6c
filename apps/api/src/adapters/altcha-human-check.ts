import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2';
import type { Payload } from 'altcha-lib/types';
import PQueue from 'p-queue';
import { z } from 'zod';
import { deriveKey } from '../crypto/secrets.ts';
import type { Clock } from '../ports/clock.ts';
import type { HumanCheck } from '../ports/human-check.ts';
import type { Limits } from '../ports/limits.ts';

const LIFETIME_SECONDS = 5 * 60;
/** Number of keys per unit of work that a browser derives until it finds the right one. */
const STEPS = { least: 100, most: 300 };
/** A network that asked for more challenges within an hour comes after all others. */
const OFTEN = { most: 300, seconds: 60 * 60 };
/** Challenges in the queue above which such a network has to ask again. */
const BUSY = 50;

/**
 * Altcha's proof of work. Challenges are signed and not stored. A used solution is remembered for
 * the lifetime of its challenge, so that it is accepted once by all nodes.
 * @param cost PBKDF2 rounds per step
 */
export function createAltchaHumanCheck(deps: {
  clock: Clock;
  limits: Limits;
  root: Buffer;
  cost: number;
}): HumanCheck {
  const { clock, limits, root, cost } = deps;
  const hmacSignatureSecret = deriveKey(root, 'human check').toString('hex');
  const hmacKeySignatureSecret = deriveKey(root, 'human check keys').toString('hex');
  // Each takes a core for milliseconds; several at once would starve the rest of the shop.
  const inTurn = new PQueue({ concurrency: 1 });
  return {
    async challenge(work, client) {
      const { count } = await limits.hit(`challenges:${client}`, OFTEN.seconds);
      const often = count > OFTEN.most;
      if (often && inTurn.size >= BUSY) return undefined;
      const make = () =>
        createChallenge({
          algorithm: 'PBKDF2/SHA-256',
          cost,
          counter: randomInt(STEPS.least * work, STEPS.most * work),
          deriveKey: pbkdf2,
          data: { work },
          expiresAt: Math.floor(clock.now().getTime() / 1000) + LIFETIME_SECONDS,
          hmacSignatureSecret,
          hmacKeySignatureSecret,
        });
      const { parameters, signature } = await inTurn.add(make, { priority: often ? 0 : 1 });
      return { parameters: { ...parameters, data: { work } }, signature: signature! };
    },

    async redeem(solution) {
      const payload = decode(solution);
      if (!payload) return 0;
      const { challenge } = payload;
      // The library checks expiry by the system clock; the shop clock decides.
      const expiresAt = challenge.parameters.expiresAt ?? 0;
      if (expiresAt * 1000 <= clock.now().getTime()) return 0;
      const result = await verifySolution({
        ...payload,
        deriveKey: pbkdf2,
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      }).catch(() => undefined);
      if (!result?.verified) return 0;
      const { count } = await limits.hit(`proof:${challenge.signature}`, LIFETIME_SECONDS);
      return count === 1 ? Number(challenge.parameters.data?.work) : 0;
    },
  };
}

/** Fields that are read before the library verifies the signature over everything. */
const shape = z.looseObject({
  challenge: z.looseObject({
    signature: z.string(),
    parameters: z.looseObject({ expiresAt: z.number().optional() }),
  }),
  solution: z.looseObject({}),
});

/** Decodes a solution; undefined if it has another shape. */
function decode(solution: string): Payload | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(solution, 'base64').toString('utf8'));
    return shape.parse(payload) as unknown as Payload;
  } catch {
    return undefined;
  }
}
