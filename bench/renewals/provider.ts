import type { controlOf } from '@fixpoint/testkit/sandbox.ts';

const ANSWER_MS = 50;
/** As often as the stand-in takes such an order. */
const ALWAYS = 1_000_000;
const LOOK_MS = 100;
const SECOND_MS = 1000;

type Control = ReturnType<typeof controlOf>;

/** The stand-in answers every call a while after it was carried out. @returns how many calls it has seen in a second at most */
export async function slowProvider(control: Control): Promise<{ most(): number; stop(): void }> {
  await control('faults', {
    match: { provider: 'stripe', path: '/v1/*' },
    do: { delayAfterCommit: ANSWER_MS },
    times: ALWAYS,
  });
  const seen: { at: number; calls: number }[] = [];
  let most = 0;
  const look = setInterval(async () => {
    const { struck } = await control<{ struck: Record<string, number> }>('faults').catch(() => ({
      struck: {} as Record<string, number>,
    }));
    const [at, calls] = [performance.now(), struck.delayAfterCommit ?? 0];
    seen.push({ at, calls });
    while (seen[0]!.at < at - SECOND_MS) seen.shift();
    most = Math.max(most, calls - seen[0]!.calls);
  }, LOOK_MS);
  return { most: () => most, stop: () => clearInterval(look) };
}

/** What happens there from now on is told to nobody. */
export const silence = (control: Control) =>
  control('faults', { match: { provider: 'stripe', event: '*' }, do: 'drop', times: ALWAYS });
