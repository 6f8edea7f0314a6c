import type { api } from '../../server/api.ts';

export type Profile = Awaited<ReturnType<typeof api.auth.profile>>;
export type LoggedInSession = Awaited<ReturnType<typeof api.account.sessions>>['sessions'][number];
export type Passkey = Awaited<ReturnType<typeof api.account.passkeys>>['passkeys'][number];

/** Noon of a day in Bangkok, for the formatters. @param day `2026-11-21` */
export const noonOf = (day: string): string => `${day}T05:00:00Z`;
