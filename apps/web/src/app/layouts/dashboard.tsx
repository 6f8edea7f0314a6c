import { DashboardShell, SideNav } from '@fixpoint/ui/frames.tsx';
import { Outlet, useLocation } from 'react-router';
import { StepUpDialog } from '../../features/account/step-up-dialog.tsx';
import { useHref } from '../../shop/links.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { accountItems, overview } from '../account-items.ts';

/** The account area, with its numbered side menu. */
export function DashboardLayout() {
  const t = useText();
  const href = useHref();
  const { pathname } = useLocation();
  const link = ({ path, title }: { path: string; title: TextKey }) => ({
    href: href(path),
    label: t(title),
    current: pathname.includes(path),
  });
  const items = [
    link(overview),
    ...accountItems.map((item, index) => ({ ...link(item), number: index + 1 })),
  ];
  return (
    <>
      <DashboardShell side={<SideNav label={t('nav.account')} items={items} />}>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </DashboardShell>
      <StepUpDialog />
    </>
  );
}
