import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { IconHelp } from '@fixpoint/ui/icons.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useHref } from '../../shop/links.ts';
import { support } from '../../shop/support.ts';
import { useText } from '../../shop/texts.ts';
import { chatOpen } from './chat-open.ts';

/**
 * Help, in the same place on every page: opens the chat, or links to the support section if there
 * is none. `stay` opens a panel instead, on a page that must not be left.
 */
export function HelpButton({ stay }: { stay?: (() => void) | undefined }) {
  const t = useText();
  const href = useHref();
  const open = useStore(chatOpen);
  const look = { variant: 'quiet', icon: <IconHelp /> } as const;
  if (!support().chat) {
    if (stay) {
      return (
        <Button {...look} onClick={stay}>
          {t('support.help')}
        </Button>
      );
    }
    return (
      <LinkButton {...look} href={href('/what-is-vpn#support')}>
        {t('support.help')}
      </LinkButton>
    );
  }
  return (
    <Button {...look} aria-expanded={open} onClick={() => chatOpen.set(!open)}>
      {t('support.help')}
    </Button>
  );
}
