import { config } from '../server/config.ts';

export type Chat = { url: string; token: string };

/** How customers reach the operator: by email, and by chat if there is one. */
export function support(): { email: string; chat: Chat | undefined; always: boolean } {
  const { SUPPORT_EMAIL, SUPPORT_HOURS, CHATWOOT_URL, CHATWOOT_TOKEN } = config();
  return {
    email: SUPPORT_EMAIL,
    chat: CHATWOOT_URL && CHATWOOT_TOKEN ? { url: CHATWOOT_URL, token: CHATWOOT_TOKEN } : undefined,
    always: SUPPORT_HOURS === '24/7',
  };
}
