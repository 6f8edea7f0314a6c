import { pause } from './pause.ts';

/** No answer, or an unreadable one: the server may or may not have acted. */
export class Fault extends Error {}

/**
 * Repeats a task that is safe to run twice, after 0.4 s, 1.2 s and 3.6 s.
 * @param isTransient whether a retry may help after this error
 */
export async function retry<T>(
  task: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  pauses = [400, 1200, 3600],
): Promise<T> {
  for (const ms of pauses) {
    try {
      return await task();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await pause(ms);
    }
  }
  return task();
}
