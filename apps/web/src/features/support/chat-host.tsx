import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/chunk.ts';
import { useStore } from '../../lib/store.ts';
import { support } from '../../lib/support.ts';
import { chatOpen } from './open-chat.ts';

const ChatPanel = lazy(async () => ({
  default: (await loadChunk(() => import('./chat-panel.tsx'))).ChatPanel,
}));

/** Where the chat stands once it is opened; nothing of it is loaded before. The page has one. */
export function ChatHost() {
  const open = useStore(chatOpen);
  const { chat } = support();
  if (!open || !chat) return null;
  return (
    <Suspense>
      <ChatPanel chat={chat} onClose={() => chatOpen.set(false)} />
    </Suspense>
  );
}
