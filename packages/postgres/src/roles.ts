/** Who logs in to the shop's database. What each may do there is in apps/api/migrations/0002_rights.sql. */
export const roles = {
  /** Owns the tables: migrations, and nothing else. */
  owner: 'fixpoint_owner',
  /** Jobs, webhooks, visitors' calls, operators' commands. */
  app: 'fixpoint_app',
  /** Calls of a customer, each confined to his own rows. */
  customer: 'fixpoint_customer',
} as const;

export type Role = keyof typeof roles;

/** The names of the settings that hold the three connection strings. */
export const urlSettings: Record<Role, string> = {
  owner: 'DATABASE_URL',
  app: 'DATABASE_APP_URL',
  customer: 'DATABASE_CUSTOMER_URL',
};

/** One connection string for each who logs in. */
export type DatabaseUrls = Record<Role, string>;

/** The same as the environment of a program of the shop. */
export const databaseSettings = (urls: DatabaseUrls): Record<string, string> =>
  Object.fromEntries((Object.keys(roles) as Role[]).map(role => [urlSettings[role], urls[role]]));

/** The database behind a connection string as each of the three reaches it. Without passwords: they log in without. */
export function urlsFor(url: string, passwords?: Record<Role, string>): DatabaseUrls {
  const as = (role: Role) => withUser(url, roles[role], passwords?.[role]);
  return { owner: as('owner'), app: as('app'), customer: as('customer') };
}

/** A socket's address names nobody before its host, so that who logs in stands among the options. */
function withUser(url: string, user: string, password = ''): string {
  const other = new URL(url);
  other.searchParams.delete('user');
  other.searchParams.delete('password');
  if (other.host) {
    other.username = user;
    other.password = password;
  } else {
    other.searchParams.set('user', user);
    if (password) other.searchParams.set('password', password);
  }
  return other.href;
}
