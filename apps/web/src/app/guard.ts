/** Who may open a screen. */
export type Guard = 'public' | 'guestOnly' | 'customer';

export const START = '/get-started';
export const LOGIN = '/auth/login';

/**
 * Guard of a path below the language. Those of the areas hold for every path in them, also for one
 * without a screen: who may not enter an area is not told what it contains.
 * @param screen guard of the screen at this path
 */
export function guardOf(path: string, screen: Guard): Guard {
  const [area = ''] = path.toLowerCase().split('/').filter(Boolean);
  if (area === 'management') return 'customer';
  return area === 'auth' || area === '' ? 'guestOnly' : screen;
}

/** Path to redirect to, without the language; undefined if the user may open the screen. */
export function guardTarget(guard: Guard, loggedIn: boolean): string | undefined {
  if (guard === 'guestOnly' && loggedIn) return START;
  if (guard === 'customer' && !loggedIn) return LOGIN;
  return undefined;
}
