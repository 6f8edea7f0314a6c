import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { support } from '../../shop/support.ts';
import { chatOpen } from './chat-open.ts';

const ChatPanel = lazyPart(async () => (await import('./chat-panel.tsx')).ChatPanel);

/** Mounts the chat when it is opened; nothing is loaded before. One per page. */
export function ChatHost() {
  const open = useStore(chatOpen);
  const { chat } = support();
  if (!open || !chat) return null;
  return <ChatPanel chat={chat} onClose={() => chatOpen.set(false)} />;
}
