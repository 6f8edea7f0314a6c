import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/chunk.ts';
import { useHref } from '../../lib/links.ts';
import { useStore } from '../../lib/store.ts';
import { support } from '../../lib/support.ts';
import { useText } from '../../lib/texts.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { IconHelp } from '../../ui/icons.tsx';
import { chatOpen } from './open-chat.ts';

const ChatPanel = lazy(async () => ({
  default: (await loadChunk(() => import('./chat-panel.tsx'))).ChatPanel,
}));

/**
 * Help, for the same place on every page (ux.md 6): opens the chat, or leads to the ways to reach support where there
 * is none. The layouts place it once; the panel itself stands at the edge of the window.
 */
export function HelpButton() {
  const t = useText();
  const href = useHref();
  const open = useStore(chatOpen);
  const { chat } = support();
  if (!chat) {
    return (
      <LinkButton variant="quiet" size="s" icon={<IconHelp />} href={href('/what-is-vpn#support')}>
        {t('support.help')}
      </LinkButton>
    );
  }
  return (
    <>
      <Button
        variant="quiet"
        size="s"
        icon={<IconHelp />}
        aria-expanded={open}
        onClick={() => chatOpen.set(!open)}
      >
        {t('support.help')}
      </Button>
      {open && (
        <Suspense>
          <ChatPanel chat={chat} onClose={() => chatOpen.set(false)} />
        </Suspense>
      )}
    </>
  );
}
