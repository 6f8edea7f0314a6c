import { calls } from 'virtual:calls';
import type { ShopCalls } from '@fixpoint/contract/calls.ts';
import { languages } from '@fixpoint/contract/languages.ts';
import { loadOrFault } from '@fixpoint/ui/lib/chunk.ts';
import { usualPath } from '@fixpoint/web-client/call-path.ts';
import { connect } from '@fixpoint/web-client/connect.ts';
import { shownLanguage } from '../routing/language.ts';
import { config } from './config.ts';
import { fetchOrEarly } from './early.ts';
import { readStatus } from './shop-status.ts';

/** Every call of the shop, typed by the contract, and the session of this browser. */
export const { api, session } = connect<ShopCalls>({
  calls,
  apiUrl: () => config().API_URL,
  languageTag: () => languages[shownLanguage.get()].tag,
  refreshPath: usualPath('auth', 'refresh'),
  solveHumanCheck,
  readHeaders: readStatus,
  fetch: fetchOrEarly,
});

/** Solves a human check of so many units of work, for `humanCheck` of a call. */
export async function solveHumanCheck(work = 1): Promise<string> {
  const { solve } = await loadOrFault(() => import('@fixpoint/web-client/human-check.ts'));
  return solve(await api.account.humanCheck({ query: { work } }));
}
