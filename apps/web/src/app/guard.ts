/** Who may open a screen. */
export type Guard = 'public' | 'guestOnly' | 'customer';

export const START = '/get-started';
export const LOGIN = '/auth/login';

/** Where somebody who may not open a screen is sent, without the language; undefined when he may. */
export function guardTarget(guard: Guard, loggedIn: boolean): string | undefined {
  if (guard === 'guestOnly' && loggedIn) return START;
  if (guard === 'customer' && !loggedIn) return LOGIN;
  return undefined;
}
