/** Who may open a screen. */
export type Guard = 'public' | 'guestOnly' | 'customer';

export const START = '/get-started';
export const LOGIN = '/auth/login';

/** Path to redirect to, without the language; undefined if the user may open the screen. */
export function guardTarget(guard: Guard, loggedIn: boolean): string | undefined {
  if (guard === 'guestOnly' && loggedIn) return START;
  if (guard === 'customer' && !loggedIn) return LOGIN;
  return undefined;
}
