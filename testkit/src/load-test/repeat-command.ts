import type { LoadTestOptions } from './load-test.ts';

/** Message for a failed load test: the command that repeats it, and how exactly it repeats. */
export function repeatCommand({
  buyers,
  seed,
  parallel,
  patient,
}: Omit<LoadTestOptions, 'signUp' | 'say'>): string {
  const repeats =
    parallel === 1
      ? 'The same calls in the same order; webhooks and jobs run beside them'
      : 'The same buyers, faults and actions, but in another order of events, so it may need several tries';
  const hasty = patient ? '' : ' --hasty';
  return `${repeats}: npm run bench -- money ${buyers} --seed=${seed} --parallel ${parallel}${hasty}`;
}
