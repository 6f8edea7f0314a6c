import { formatTime } from '@fixpoint/texts/format.ts';
import { codeOf, Refusal } from '@fixpoint/web-client/faults.ts';
import { errorText, hasText, type TextKey, translate } from './texts.ts';

/**
 * Rounds up to the full minute, so that nobody tries too early.
 * @param at ms
 * @param wait s
 */
const retryTime = (at: number, wait: number): string =>
  wait < 60
    ? formatTime(new Date(at), 'second')
    : formatTime(new Date(Math.ceil(at / 60_000) * 60_000), 'minute');

/** Text of an error in its place on the page: of a refused subject, what is wrong with it. */
export function errorMessage(error: unknown): string {
  const subject = error instanceof Refusal ? error.fields.id : undefined;
  return subject && hasText(subject) ? translate(subject as TextKey) : codeMessage(error);
}

/** Text of the code of any error; after a rate limit with the time to try again (S13). */
export function codeMessage(error: unknown): string {
  const text = errorText(codeOf(error));
  const wait = error instanceof Refusal && error.status === 429 ? error.retryAfter : undefined;
  if (!wait) return text;
  const { since } = error as Refusal;
  return `${text} ${translate('error.retryAt', { time: retryTime(since + wait * 1000, wait) })}`;
}
