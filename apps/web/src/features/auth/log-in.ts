import { api, session } from '../../server/api.ts';

/** Begins a session of this browser. */
export async function logIn(proof: { email: string; password: string; totp?: string }) {
  // The refresh token stays in a cookie that no script can read; local storage gets an empty one (S18).
  const { data } = await api.auth.login({ body: { ...proof, refreshIn: 'cookie' } });
  session.begin(data);
}
