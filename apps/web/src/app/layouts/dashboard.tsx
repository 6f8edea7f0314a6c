import { DashboardShell, SideNav } from '@fixpoint/ui/frames.tsx';
import { Page } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Suspense } from 'react';
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
          {/* Only for a first page: while one changes, the old screen stays. */}
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        </main>
      </DashboardShell>
      <StepUpDialog />
    </>
  );
}

function Waiting() {
  const t = useText();
  return (
    <Page>
      <Skeleton lines={8} label={t('app.loading')} />
    </Page>
  );
}
