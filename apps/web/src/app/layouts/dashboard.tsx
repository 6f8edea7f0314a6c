import { Outlet, useLocation } from 'react-router';
import { StepUpDialog } from '../../features/account/step-up-dialog.tsx';
import { AccountLive } from '../../features/live/account-live.tsx';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';
import { DashboardShell, SideNav } from '../../ui/frames.tsx';
import { accountItems } from '../account-items.ts';

/** The account area: numbered side menu, and the live connection that keeps its screens in step. */
export function DashboardLayout() {
  const t = useText();
  const href = useHref();
  const { pathname } = useLocation();
  const items = accountItems.map((item, index) => ({
    href: href(item.path),
    label: t(item.title),
    number: index + 1,
    current: pathname.includes(item.path),
  }));
  return (
    <>
      <DashboardShell side={<SideNav label={t('nav.account')} items={items} />}>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </DashboardShell>
      <AccountLive />
      <StepUpDialog />
    </>
  );
}
