import { SOCKET_PATH } from '@fixpoint/contract/live.ts';
import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { io, type Socket } from 'socket.io-client';

type Shop = Pick<TestShop, 'url' | 'sandboxUrl'>;

/** The token of the newest invitation to an address. */
export async function invitationTo(shop: Shop, email: string): Promise<string> {
  const { Text } = await emailTo(shop, email, /\/invitation\?token=/);
  return /invitation\?token=([\w-]{43})/.exec(Text)![1]!;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Accepts an invitation as a new user. */
export async function acceptAsNew(shop: Shop, token: string) {
  const visitor = createClient(shop.url);
  const { version: termsVersion } = (await visitor.text.getTerm()).data!;
  return visitor.team.acceptInvitation(
    { body: { password: PASSWORD, language: 'en', termsVersion } },
    bearer(token),
  );
}

/** Invites somebody without a log-in, who accepts. @param part of a member: how many devices of which subscription */
export async function newColleague(
  shop: Shop,
  owner: TestClient,
  email: string,
  role: TeamRole,
  part: { subscriptionId?: string; devices?: number } = {},
) {
  const invited = await owner.team.invite({ body: { email, role, ...part } });
  if (invited.code !== '0000') throw new Error(`invite answered ${invited.code}`);
  const accepted = await acceptAsNew(shop, await invitationTo(shop, email));
  if (accepted.code !== '0000') throw new Error(`acceptInvitation answered ${accepted.code}`);
  const client = createClient(shop.url, accepted.token);
  const profile = (await client.auth.profile()).data!;
  return { client, token: accepted.token!, email, userId: profile.id, customerId: profile.customerId };
}

/** Subjects of the emails that an address got. */
export async function subjectsTo({ sandboxUrl }: Shop, address: string): Promise<string[]> {
  const query = encodeURIComponent(`to:${address}`);
  const found = await fetch(`${sandboxUrl}/mail/api/v1/search?limit=1000&query=${query}`);
  return ((await found.json()) as { messages: { Subject: string }[] }).messages.map(({ Subject }) => Subject);
}

/** A connected live socket of a session. */
export async function openSocket(shop: Shop, token: string): Promise<Socket> {
  const socket = io(shop.url, {
    path: SOCKET_PATH,
    query: { token },
    transports: ['websocket'],
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}
