import { Accordion } from '@fixpoint/ui/accordion.tsx';
import { Drawer } from '@fixpoint/ui/dialog.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { NavLink, NavLinks } from '@fixpoint/ui/shell.tsx';
import { useLocation } from 'react-router';
import { DownloadLinks } from '../features/shell/download-links.tsx';
import { useProfile } from '../server/profile.ts';
import { useLoggedIn } from '../server/shop-state.ts';
import { useLanguageChoice } from '../shop/language-choice.ts';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';
import { overview, useAccountItems } from './account-items.ts';
import { LOGIN, START } from './guard.ts';
import { useLogout } from './use-logout.ts';
import { useOtherCustomers } from './use-other-customers.ts';

/** Content of the top bar on phones. */
export function SideDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const href = useHref();
  const accountItems = useAccountItems();
  const { pathname } = useLocation();
  const loggedIn = useLoggedIn();
  const logout = useLogout();
  const language = useLanguageChoice();
  const title = useProfile().data?.email.split('@')[0] || t(loggedIn ? 'nav.user' : 'nav.menu');
  const link = (path: string, label: string) => (
    <NavLink key={path} href={href(path)} current={pathname.endsWith(path)} onClick={onClose}>
      {label}
    </NavLink>
  );
  const action = (label: string, act: () => void) => (
    <NavLink
      key={label}
      href="#"
      onClick={event => {
        event.preventDefault();
        onClose();
        act();
      }}
    >
      {label}
    </NavLink>
  );
  const others = useOtherCustomers().map(({ label, onSelect }) => action(label, onSelect));
  return (
    <Drawer open={open} onClose={onClose} title={title} closeLabel={t('app.close')}>
      <Stack gap={6}>
        <NavLinks label={t('nav.main')} vertical>
          {[
            link('/what-is-vpn', t('vpn.title')),
            link(START, t('nav.pricing')),
            ...(loggedIn
              ? [
                  ...[overview, ...accountItems].map(item => link(item.path, t(item.title))),
                  ...others,
                  action(t('nav.logout'), logout),
                ]
              : [link(LOGIN, t('nav.login')), link('/auth/sign-up', t('signUp.title'))]),
          ]}
        </NavLinks>
        <Accordion
          level={2}
          small
          items={[{ id: 'downloads', title: t('nav.downloads'), content: <DownloadLinks /> }]}
        />
        <Select
          label={t('nav.language')}
          value={language.value}
          options={language.options}
          onChange={event => {
            onClose();
            language.onChange(event.target.value);
          }}
        />
      </Stack>
    </Drawer>
  );
}
