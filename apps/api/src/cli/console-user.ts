import { userInfo } from 'node:os';

/** What Debian takes for a user's name. */
const NAME = /^[a-z_][\w.-]{0,31}$/i;

/**
 * Who uses the console: it acts as owner, and the audit log names its Unix user.
 * @param source the package's command runs as `fixpoint`, and says here who ran it
 */
export function consoleUser({ FIXPOINT_OPERATOR }: NodeJS.ProcessEnv): string {
  if (FIXPOINT_OPERATOR && NAME.test(FIXPOINT_OPERATOR)) return `console:${FIXPOINT_OPERATOR}`;
  try {
    return `console:${userInfo().username}`;
  } catch {
    // The user has no entry in the system's list.
    return `console:${process.getuid?.() ?? 'unknown'}`;
  }
}
