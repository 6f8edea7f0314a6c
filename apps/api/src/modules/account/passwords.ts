import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { isCommonPassword } from '@fixpoint/domain/account/common-password.ts';
import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';
import { type Refusal, refuseFields } from '../../kernel/refusal.ts';

/** Argon2id, m = 19 MiB, t = 2, p = 1 (S02; the library's default algorithm is Argon2id). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COST_TEXT = `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`;
/** Each hash takes 19 MiB and a core: one core, and one thread of the pool, stay for everything else (S02). */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));

/** Comes before all strangers: somebody with a session, a mailed code or a browser that the account knows. */
const KNOWN_FIRST = { priority: 1 };
const STRANGERS = { priority: 0 };

export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. Without a hash (unknown or unfinished account) it takes the same time and answers false,
   * so that the answer's time tells nothing (S03).
   * @param stranger whether anybody could have asked: then whoever is known comes first
   */
  verify(
    passwordHash: string | null | undefined,
    password: string,
    asked?: { stranger: boolean },
  ): Promise<boolean>;
  /** How many strangers wait for a comparison now. */
  strangers(): number;
  /** Whether a hash was made with another cost or pepper than today's: made again at the next login. */
  isOutdated(passwordHash: string): boolean;
};

/**
 * Hashes passwords under a pepper, a key that no copy of the database contains. The first eight digits of a hash say
 * which pepper it has, so that peppers can be changed.
 * @param peppers the present one, then those that earlier hashes may have
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
/** Read when somebody chooses a password: no start waits for 50,000 words. */
const leakedPasswords = () =>
  (leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));

/**
 * Refuses a new password that guessers try first (S01).
 * @param own the shop's name and the customer's address
 */
export async function refuseCommon(password: string, own: readonly string[]): Promise<Refusal | undefined> {
  return isCommonPassword(password, await leakedPasswords(), own)
    ? refuseFields({ password: 'form.password.common' }, 'passwordCondition')
    : undefined;
}
