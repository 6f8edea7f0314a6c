import { solveChallenge, solveChallengeWorkers } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import workerUrl from './human-check-worker.ts?worker&url';

/** An old phone needs a minute for the dearest challenge, which is valid for five. */
const TIMEOUT_MS = 4 * 60_000;

/** More would leave a phone no core for the page. */
const WORKERS = 2;

type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };
let policy: Policy | undefined;

function createWorker(): Worker {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  const rules: Policy = { createScriptURL: url => url };
  policy ??= types?.createPolicy('fixpoint-worker', rules) ?? rules;
  // The URL is a constant of the build.
  return new Worker(policy.createScriptURL(workerUrl), { type: 'module' });
}

/**
 * Solves the proof of work in workers, invisibly, and encodes it as a call's `humanCheck`. Falls
 * back to the main thread if workers are forbidden: slower, but nobody is locked out.
 */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: WORKERS,
    createWorker,
    timeout: TIMEOUT_MS,
  }).catch(() => solveChallenge({ challenge, deriveKey, timeout: TIMEOUT_MS }));
  if (!solution) throw new Error('the human check took too long');
  return btoa(JSON.stringify({ challenge, solution }));
}
