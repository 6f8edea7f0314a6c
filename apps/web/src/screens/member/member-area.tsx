import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { pathBelowLanguage } from '../../routing/language.ts';
import { Redirect, usePath } from '../../shop/links.ts';
import { MemberSubscription } from './member-subscription.tsx';
import { MemberSubscriptions } from './member-subscriptions.tsx';

const AREA = 'management/';

/**
 * The account area of a member: the subscriptions in which they have devices, and their own log-in (`children`). Every other
 * address of the area leads here, because it is about money or about the devices of others.
 */
export function MemberArea({ children }: { children: ReactNode }) {
  const path = usePath();
  const { pathname } = useLocation();
  const [screen, id] = pathBelowLanguage(pathname).replace(/^\//, '').replace(AREA, '').split('/');
  if (screen === 'my-account') return children;
  if (screen === 'subscription' && id && id !== 'new') return <MemberSubscription key={id} id={id} />;
  if (screen === 'dashboard' || (screen === 'subscription' && !id)) return <MemberSubscriptions />;
  return <Redirect to={path('/management/dashboard')} />;
}
