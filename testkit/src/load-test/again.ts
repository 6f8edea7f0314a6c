import type { LoadTestOptions } from './load-test.ts';

/** What is said of a load test that lost something: the command that makes it again, and how much of it that repeats. */
export function loadTestAgain({
  buyers,
  seed,
  parallel,
  patient,
}: Omit<LoadTestOptions, 'signUp' | 'say'>): string {
  const repeats =
    parallel === 1
      ? 'The same calls in the same order; webhooks and jobs run beside them'
      : 'The same buyers, faults and deeds, but in another order of events, so it may need several tries';
  const hasty = patient ? '' : ' --hasty';
  return `${repeats}: npm run bench -- money ${buyers} --seed=${seed} --parallel ${parallel}${hasty}`;
}
