import type { StatusPage } from '@fixpoint/contract/status.ts';
import { Fault } from '@fixpoint/web-client/faults.ts';

/** The state of the places. Throws a `Fault` where the server does not answer. */
export async function loadStatus(): Promise<StatusPage> {
  const answer = await fetch('/status.json', { signal: AbortSignal.timeout(15_000) }).catch(() => undefined);
  if (!answer?.ok) throw new Fault('could not load /status.json');
  return (await answer.json()) as StatusPage;
}
