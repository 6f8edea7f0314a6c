/**
 * What stands before a program to run it as a user of its own, without any right and with no way to gain one.
 * @param more further options of `setpriv`
 */
export const unprivileged = (uid: number, ...more: string[]): string[] => [
  ...['setpriv', ...more, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
  ...['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'],
];
