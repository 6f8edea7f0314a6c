import { Menu } from '@fixpoint/ui/menu.tsx';
import { IconUser } from '@fixpoint/ui/topic-icons.tsx';
import { useProfile } from '../server/profile.ts';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';
import { overview, useAccountItems } from './account-items.ts';
import { useLogout } from './use-logout.ts';
import { useOtherCustomers } from './use-other-customers.ts';

/** Account menu. Its label is the part of the email address before the @. */
export function AccountMenu() {
  const t = useText();
  const href = useHref();
  const accountItems = useAccountItems();
  const logout = useLogout();
  const name = useProfile().data?.email.split('@')[0] || t('nav.user');
  const others = useOtherCustomers();
  const links = [overview, ...accountItems].map(item => ({ label: t(item.title), href: href(item.path) }));
  return (
    <Menu
      label={name}
      icon={<IconUser />}
      items={[
        ...links,
        ...(others.length > 0 ? ['separator' as const, ...others] : []),
        'separator',
        { label: t('nav.logout'), onSelect: logout },
      ]}
    />
  );
}
