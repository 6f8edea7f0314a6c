import { Page, Section } from '@fixpoint/ui/layout.tsx';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { pathBelowLanguage } from '../../routing/language.ts';
import { AskOwner } from '../../shop/ask-owner.tsx';
import { useText } from '../../shop/texts.ts';
import { MemberSubscription } from './member-subscription.tsx';
import { MemberSubscriptions } from './member-subscriptions.tsx';

const AREA = 'management/';

/**
 * The account area of a member: the subscriptions in which they have devices, and their own log-in (`children`). Every other
 * address of the area is about money or about the devices of others, and says so.
 */
export function MemberArea({ children }: { children: ReactNode }) {
  const t = useText();
  const { pathname } = useLocation();
  const [screen, id, part] = pathBelowLanguage(pathname).replace(/^\//, '').replace(AREA, '').split('/');
  if (screen === 'my-account') return children;
  if (screen === 'subscription' && id && id !== 'new' && !part)
    return <MemberSubscription key={id} id={id} />;
  if (screen === 'dashboard' || (screen === 'subscription' && !id)) return <MemberSubscriptions />;
  return (
    <Page>
      <Section level={1} title={t('team.forbidden.title')}>
        <AskOwner />
      </Section>
    </Page>
  );
}
