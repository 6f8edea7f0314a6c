import { IconChat, IconInfinity, IconPin, IconServer, IconShield } from '@fixpoint/ui/topic-icons.tsx';
import { support } from '../../shop/support.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { FeatureList } from './feature-list.tsx';

/** The shop's promises, each with what backs it (K8, K10). */
export function Promises() {
  const t = useText();
  const { email, chat } = support();
  return (
    <FeatureList
      items={[
        {
          id: 'ip',
          icon: <IconPin />,
          title: t('home.promise.ip.title'),
          text: t('home.promise.ip.text'),
          detail: t('home.proof.ip'),
        },
        {
          id: 'bandwidth',
          icon: <IconInfinity />,
          title: t('home.promise.bandwidth.title'),
          text: t('home.promise.bandwidth.line'),
          detail: t('home.proof.bandwidth'),
        },
        {
          id: 'logs',
          icon: <IconShield />,
          title: t('home.promise.logs.title'),
          text: t('home.promise.logs.text'),
          detail: t('home.proof.logs'),
        },
        {
          id: 'hosts',
          icon: <IconServer />,
          title: t('home.promise.hosts.title'),
          text: t('home.promise.hosts.text'),
          detail: t('home.proof.hosts'),
        },
        {
          id: 'help',
          icon: <IconChat />,
          title: t(helpTitle()),
          text: t('home.promise.help.text'),
          detail: t(chat ? 'home.proof.chat' : 'home.proof.mail', { email }),
        },
      ]}
    />
  );
}

/**
 * Promises only what is configured: no chat that does not run, no support hours that are not kept.
 */
function helpTitle(): TextKey {
  const { chat, always } = support();
  if (chat) return always ? 'home.promise.help.chatAlways' : 'home.promise.help.chat';
  return always ? 'home.promise.help.mailAlways' : 'home.promise.help.mail';
}
