import { hash, verify } from '@node-rs/argon2';

/** Argon2id, m = 19 MiB, t = 2, p = 1 (S02; the library's default algorithm is Argon2id). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each hash takes 19 MiB and a core: more at once would starve everything else (stack.md). */
const AT_ONCE = 4;

let free = AT_ONCE;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>(next => waiting.push(next));
  try {
    return await work();
  } finally {
    // The place goes straight to the next in line: nobody who comes later can take it first.
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password.normalize('NFC'), COST));

let decoy: Promise<string> | undefined;

/**
 * Whether the password fits. Without a hash (unknown or unfinished account) it takes the same time and answers false,
 * so that the answer's time tells nothing (S03).
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword('decoy');
  const against = passwordHash ?? (await decoy);
  const fits = await inTurn(() => verify(against, password.normalize('NFC')));
  return fits && Boolean(passwordHash);
}
