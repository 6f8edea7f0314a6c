import { codeOf, Refusal } from '../lib/faults.ts';
import { errorText, translate } from './texts.ts';

/** Time of day in Bangkok; a minute that has begun counts whole, so that nobody comes too early. @param at ms */
function bangkokTime(at: number, wait: number): string {
  const near = wait < 60;
  const shown = near ? at : Math.ceil(at / 60_000) * 60_000;
  return `${new Date(shown + BANGKOK_MS).toISOString().slice(11, near ? 19 : 16)} GMT+7`;
}
const BANGKOK_MS = 7 * 60 * 60 * 1000;

/** What any error says to a customer, and when it is worth trying again where a limit said so (S13, FU26). */
export function errorWords(error: unknown): string {
  const text = errorText(codeOf(error));
  const wait = error instanceof Refusal && error.status === 429 ? error.retryAfter : undefined;
  if (!wait) return text;
  const { since } = error as Refusal;
  return `${text} ${translate('error.retryAt', { time: bangkokTime(since + wait * 1000, wait) })}`;
}
