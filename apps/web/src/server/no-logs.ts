import type { NoLogsPage, NoLogsReport } from '@fixpoint/contract/no-logs.ts';

/** When VPN hosts were last searched for logs without a find (ISO 8601); null if never. */
export async function lastNoLogsSearch(): Promise<string | null> {
  const answer = await fetch('/no-logs.json', { signal: AbortSignal.timeout(15_000) });
  if (!answer.ok) return null;
  const { reports } = (await answer.json()) as NoLogsPage;
  const days = reports.map(({ report }) => (JSON.parse(report) as NoLogsReport).searchedAt);
  return days.sort().at(-1) ?? null;
}
