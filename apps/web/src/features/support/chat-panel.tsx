import { languages } from '@fixpoint/contract/languages.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button, LinkButton } from '@fixpoint/ui/button.tsx';
import { Dock, DockFrame } from '@fixpoint/ui/dock.tsx';
import { isDark } from '@fixpoint/ui/is-dark.ts';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { useEffect, useRef, useState } from 'react';
import { shownLanguage } from '../../routing/language.ts';
import { type Chat, support } from '../../shop/support.ts';
import { useText } from '../../shop/texts.ts';
import { attachChat, chatAddress } from './chat-frame.ts';

/** Timeout, after which the email address is shown instead, ms. */
const TIMEOUT_MS = 12_000;

/** The operator's chat beside the page, so that both stay visible. */
export function ChatPanel({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const t = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [address] = useState(() => chatAddress(chat.url, chat.token));
  const [tries, setTries] = useState(0);
  const { email } = support();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads a new frame
  useEffect(() => {
    if (!frame.current) return;
    setState('loading');
    const timeout = setTimeout(() => setState('failed'), TIMEOUT_MS);
    const detach = attachChat(frame.current, {
      url: chat.url,
      locale: languages[shownLanguage.get()].tag,
      dark: isDark(),
      onReady: () => {
        clearTimeout(timeout);
        setState('ready');
      },
    });
    return () => {
      clearTimeout(timeout);
      detach();
    };
  }, [chat.url, tries]);

  return (
    <Dock title={t('support.help')} closeLabel={t('app.close')} onClose={onClose}>
      {state === 'loading' && <Loading label={t('app.loading')} />}
      {state === 'failed' && (
        <div>
          <Alert
            type="error"
            live
            action={
              <Cluster>
                <Button onClick={() => setTries(tries + 1)}>{t('app.tryAgain')}</Button>
                <LinkButton variant="quiet" href={`mailto:${email}`}>
                  {t('support.mail')}
                </LinkButton>
              </Cluster>
            }
          >
            {t('support.chat.failed', { email })}
          </Alert>
        </div>
      )}
      <DockFrame key={tries} ref={frame} title={t('support.help')} src={address} hidden={state !== 'ready'} />
    </Dock>
  );
}
