import { tabStore } from '@fixpoint/ui/lib/storage.ts';

/** Prefix of Chatwoot's messages between widget and page, followed by JSON. */
const PREFIX = 'chatwoot-widget:';
/** Key of the visitor's conversation, stored for this window, so that a reload finds it again. */
const CONVERSATION = 'chat.conversation';

/** URL of the widget, as Chatwoot's own script would open it. */
export function chatAddress(url: string, token: string): string {
  const address = new URL('/widget', url);
  address.searchParams.set('website_token', token);
  const conversation = tabStore.read(CONVERSATION);
  if (conversation) address.searchParams.set('cw_conversation', conversation);
  return address.href;
}

/**
 * Connects to the widget in a frame instead of running Chatwoot's script in the shop, where foreign
 * scripts are forbidden (S64). Exchanges messages only with that frame on that origin.
 * @param locale BCP 47
 * @returns stops listening
 */
export function attachChat(
  frame: HTMLIFrameElement,
  options: { url: string; locale: string; dark: boolean; onReady: () => void },
): () => void {
  const { origin } = new URL(options.url);
  const send = (event: string, values: Record<string, unknown>) =>
    frame.contentWindow?.postMessage(`${PREFIX}${JSON.stringify({ event, ...values })}`, origin);
  const listen = ({ origin: sender, source, data }: MessageEvent) => {
    if (sender !== origin || source !== frame.contentWindow) return;
    const message = readMessage(data);
    if (message?.event !== 'loaded') return;
    const conversation = message.config?.authToken;
    if (typeof conversation === 'string') tabStore.write(CONVERSATION, conversation);
    send('config-set', {
      locale: options.locale.replace('zh-Hans-CN', 'zh_CN').split('-')[0],
      position: 'right',
      hideMessageBubble: true,
      showPopoutButton: false,
      darkMode: options.dark ? 'dark' : 'light',
    });
    send('toggle-open', { isOpen: true });
    options.onReady();
  };
  window.addEventListener('message', listen);
  return () => window.removeEventListener('message', listen);
}

type Message = { event?: unknown; config?: { authToken?: unknown } };

function readMessage(data: unknown): Message | undefined {
  if (typeof data !== 'string' || !data.startsWith(PREFIX)) return undefined;
  try {
    return JSON.parse(data.slice(PREFIX.length)) as Message;
  } catch {
    return undefined;
  }
}
