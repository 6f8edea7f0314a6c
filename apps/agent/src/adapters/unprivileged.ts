/**
 * Command prefix that runs a program as a user without capabilities or a way to gain any.
 * @param more further options of `setpriv`
 */
export const unprivileged = (uid: number, ...more: string[]): string[] => [
  ...['setpriv', ...more, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
  ...['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'],
];
