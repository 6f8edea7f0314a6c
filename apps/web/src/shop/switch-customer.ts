import { api, session } from '../server/api.ts';

/** Works for another customer of the user from now on: new tokens, and nothing of the one before is kept. */
export async function workFor(customerId: string): Promise<void> {
  const { data } = await api.team.switchCustomer({ body: { customerId, refreshIn: 'cookie' } });
  session.begin(data);
}
