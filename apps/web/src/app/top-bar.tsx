import { IconButton, LinkButton } from '@fixpoint/ui/button.tsx';
import { IconGlobe, IconMenu } from '@fixpoint/ui/icons.tsx';
import { lazyPart } from '@fixpoint/ui/lib/lazy-part.tsx';
import { Logo } from '@fixpoint/ui/logo.tsx';
import { Menu, MenuSelect } from '@fixpoint/ui/menu.tsx';
import { AppBar, NavLink, NavLinks } from '@fixpoint/ui/shell.tsx';
import { useLocation } from 'react-router';
import { ChatHost } from '../features/support/chat-host.tsx';
import { HelpButton } from '../features/support/help-button.tsx';
import { pathBelowLanguage } from '../routing/language.ts';
import { useOpenedHere } from '../routing/opened-here.ts';
import { config } from '../server/config.ts';
import { useLoggedIn } from '../server/shop-state.ts';
import { downloads } from '../shop/downloads.ts';
import { useLanguageChoice } from '../shop/language-choice.ts';
import { useHref } from '../shop/links.ts';
import { useText } from '../shop/texts.ts';
import { LOGIN } from './guard.ts';
import { OfflineNotice } from './notices.tsx';

const AccountMenu = lazyPart(async () => (await import('./account-menu.tsx')).AccountMenu);
const CheckoutHelp = lazyPart(async () => (await import('./checkout-help.tsx')).CheckoutHelp);
const SideDrawer = lazyPart(async () => (await import('./side-drawer.tsx')).SideDrawer);

/** Logo, help and language; nothing else may distract from paying. */
function CheckoutBar() {
  const t = useText();
  const language = useLanguageChoice();
  const help = useOpenedHere();
  return (
    <>
      <AppBar
        logo={<Home />}
        help={
          <>
            <HelpButton stay={help.show} />
            <MenuSelect label={t('nav.language')} {...language} icon={<IconGlobe />} hideValue />
          </>
        }
        notice={<OfflineNotice />}
      />
      {help.open && <CheckoutHelp onClose={help.close} />}
    </>
  );
}

function Home() {
  const href = useHref();
  return (
    <a href={href('/get-started')}>
      <Logo name={config().BRAND_NAME} />
    </a>
  );
}

/** Top bar of the screen, and the chat that it opens. */
export function TopBar() {
  const { pathname } = useLocation();
  return (
    <>
      {pathBelowLanguage(pathname) === '/order' ? <CheckoutBar /> : <ShopBar />}
      <ChatHost />
    </>
  );
}

/** Logo, links, downloads, help, language, and log-in or the account menu. */
function ShopBar() {
  const t = useText();
  const href = useHref();
  const { pathname } = useLocation();
  const loggedIn = useLoggedIn();
  const language = useLanguageChoice();
  const drawer = useOpenedHere();

  return (
    <AppBar
      logo={<Home />}
      nav={
        <NavLinks label={t('nav.main')}>
          {[
            <NavLink key="vpn" href={href('/what-is-vpn')} current={pathname.endsWith('/what-is-vpn')}>
              {t('vpn.title')}
            </NavLink>,
            <NavLink key="pricing" href={href('/get-started')} current={pathname.endsWith('/get-started')}>
              {t('nav.pricing')}
            </NavLink>,
            <Menu
              key="downloads"
              label={t('nav.downloads')}
              align="start"
              items={downloads.map(({ id, href }) => ({ label: t(`download.${id}`), href, external: true }))}
            />,
          ]}
        </NavLinks>
      }
      help={<HelpButton />}
      actions={
        <>
          <MenuSelect label={t('nav.language')} {...language} icon={<IconGlobe />} hideValue />
          {loggedIn ? (
            <AccountMenu />
          ) : (
            <>
              <LinkButton href={href(LOGIN)} size="s">
                {t('nav.login')}
              </LinkButton>
              <LinkButton href={href('/auth/sign-up')} size="s">
                {t('signUp.title')}
              </LinkButton>
            </>
          )}
        </>
      }
      notice={<OfflineNotice />}
      menuButton={
        <>
          <IconButton label={t('nav.menu')} icon={<IconMenu />} onClick={drawer.show} />
          {drawer.used && <SideDrawer open={drawer.open} onClose={drawer.close} />}
        </>
      }
    />
  );
}
