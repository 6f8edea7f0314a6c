/** Roles of the shop's database. Their rights are in apps/api/migrations/0002_rights.sql. */
export const roles = {
  /** Owns the tables; used for migrations only. */
  owner: 'fixpoint_owner',
  /** Jobs, webhooks, visitors' calls, operators' commands. */
  app: 'fixpoint_app',
  /** Calls of customers, each confined to their own rows. */
  customer: 'fixpoint_customer',
  /** Calls of members, each confined to their own devices. */
  member: 'fixpoint_member',
} as const;

export type Role = keyof typeof roles;

/** Settings with the connection strings. */
export const urlSettings: Record<Role, string> = {
  owner: 'DATABASE_URL',
  app: 'DATABASE_APP_URL',
  customer: 'DATABASE_CUSTOMER_URL',
  member: 'DATABASE_MEMBER_URL',
};

/** One connection string per role. */
export type DatabaseUrls = Record<Role, string>;

/** The same as environment variables. */
export const databaseSettings = (urls: DatabaseUrls): Record<string, string> =>
  Object.fromEntries((Object.keys(roles) as Role[]).map(role => [urlSettings[role], urls[role]]));

/**
 * Connection strings of the roles for the database of `url`. Without passwords, they log in
 * without one.
 */
export function urlsFor(url: string, passwords?: Record<Role, string>): DatabaseUrls {
  const as = (role: Role) => withUser(url, roles[role], passwords?.[role]);
  return { owner: as('owner'), app: as('app'), customer: as('customer'), member: as('member') };
}

/** A socket URL has no user before its host, so the user goes into the query. */
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
