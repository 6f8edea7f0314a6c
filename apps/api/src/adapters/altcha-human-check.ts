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
/** How many keys a browser derives until it finds the right one. */
const STEPS = { least: 100, most: 300 };

/**
 * Altcha's proof of work. Challenges are signed and kept nowhere; a solution is remembered as long as its challenge
 * lives, so that it serves once, on whichever node.
 * @param cost PBKDF2 rounds of one step
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
  // Each takes a core for milliseconds: many at once would leave none to the rest of the shop.
  const inTurn = new PQueue({ concurrency: 1 });
  return {
    async challenge() {
      const make = () =>
        createChallenge({
          algorithm: 'PBKDF2/SHA-256',
          cost,
          counter: randomInt(STEPS.most, STEPS.least),
          deriveKey: pbkdf2,
          expiresAt: Math.floor(clock.now().getTime() / 1000) + LIFETIME_SECONDS,
          hmacSignatureSecret,
          hmacKeySignatureSecret,
        });
      const { parameters, signature } = await inTurn.add(make);
      return { parameters, signature: signature! };
    },

    async redeem(solution) {
      const payload = decode(solution);
      if (!payload) return false;
      const { challenge } = payload;
      // The library looks at the machine's clock; ours decides.
      const expiresAt = challenge.parameters.expiresAt ?? 0;
      if (expiresAt * 1000 <= clock.now().getTime()) return false;
      const result = await verifySolution({
        ...payload,
        deriveKey: pbkdf2,
        hmacSignatureSecret,
        hmacKeySignatureSecret,
      }).catch(() => undefined);
      if (!result?.verified) return false;
      return (await limits.hit(`proof:${challenge.signature}`, LIFETIME_SECONDS)).count === 1;
    },
  };
}

/** As far as it is read before the library checks the signature over all of it. */
const shape = z.looseObject({
  challenge: z.looseObject({
    signature: z.string(),
    parameters: z.looseObject({ expiresAt: z.number().optional() }),
  }),
  solution: z.looseObject({}),
});

/** What a client sent, if it has the shape of a solution. */
function decode(solution: string): Payload | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(solution, 'base64').toString('utf8'));
    return shape.parse(payload) as unknown as Payload;
  } catch {
    return undefined;
  }
}
