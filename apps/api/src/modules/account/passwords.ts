import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { weaknessOf } from '@fixpoint/domain/account/common-password.ts';
import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';
import { type Refusal, refuseFields } from '../../kernel/refusal.ts';

/** Argon2id, m = 19 MiB, t = 2, p = 1 (S02; the library's default algorithm is Argon2id). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COST_TEXT = `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`;
/** Each hash takes 19 MiB and a core. Leaves one core and one thread of the pool for everything else (S02). */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));

/** Priority of callers with a session, an emailed code or a known browser over strangers. */
const KNOWN_FIRST = { priority: 1 };
const STRANGERS = { priority: 0 };

export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. Without a hash (unknown or unfinished account) it takes the same time and returns false, so
   * that timing reveals nothing (S03).
   * @param stranger unauthenticated caller, who is queued behind known ones
   */
  verify(
    passwordHash: string | null | undefined,
    password: string,
    asked?: { stranger: boolean },
  ): Promise<boolean>;
  /** Number of strangers in the queue. */
  strangers(): number;
  /** Whether a hash has another cost or pepper than the present ones. The next login rehashes it. */
  isOutdated(passwordHash: string): boolean;
};

/**
 * Hashes passwords with a pepper, a key outside the database. The first eight digits of a hash identify its pepper, so that
 * peppers can be rotated.
 * @param peppers the present one, then those of earlier hashes
 */
export function createPasswords(peppers: readonly [Buffer, ...Buffer[]]): Passwords {
  const tagOf = (pepper: Buffer): string => createHash('sha256').update(pepper).digest('hex').slice(0, 8);
  const known = new Map<string, Buffer>(peppers.map(pepper => [tagOf(pepper), pepper]));
  const present = tagOf(peppers[0]);
  const queue = new PQueue({ concurrency: AT_ONCE });
  let decoy: Promise<string> | undefined;

  const hashIt = async (password: string): Promise<string> =>
    present +
    (await queue.add(() => hash(password.normalize('NFC'), { ...COST, secret: peppers[0] }), KNOWN_FIRST));

  return {
    hash: hashIt,
    async verify(passwordHash, password, { stranger } = { stranger: false }) {
      decoy ??= hashIt('decoy');
      const against = passwordHash ?? (await decoy);
      const at = against.indexOf('$');
      const secret = known.get(against.slice(0, at));
      const options = secret && { secret };
      const compare = () => verify(against.slice(at), password.normalize('NFC'), options);
      const fits = await queue.add(compare, stranger ? STRANGERS : KNOWN_FIRST);
      return fits && Boolean(passwordHash);
    },
    strangers: () => queue.sizeBy(STRANGERS),
    isOutdated: passwordHash => !passwordHash.startsWith(present) || !passwordHash.includes(COST_TEXT),
  };
}

let leaked: Promise<ReadonlySet<string>> | undefined;
/** Loaded on first use, so that startup does not wait for 50,000 words. */
const leakedPasswords = () =>
  (leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));

/**
 * Refuses a common new password (S01).
 * @param own name of the shop and address of the customer, which are refused too
 */
export async function refuseCommon(password: string, own: readonly string[]): Promise<Refusal | undefined> {
  const weakness = weaknessOf(password, await leakedPasswords(), own);
  const text = weakness === 'own' ? 'form.password.own' : 'form.password.common';
  return weakness && refuseFields({ password: text }, 'passwordCondition');
}
