import { DashboardShell, SideNav } from '@fixpoint/ui/frames.tsx';
import { Page } from '@fixpoint/ui/layout.tsx';
import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { lazy, Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { StepUpDialog } from '../../features/account/step-up-dialog.tsx';
import { useProfile } from '../../server/profile.ts';
import { useHref } from '../../shop/links.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { overview, useAccountItems } from '../account-items.ts';

/** Loaded for members only. */
const MemberArea = lazy(
  lazyComponent(
    () => import('../../screens/member/member-area.tsx'),
    of => of.MemberArea,
  ),
);

/** The account area, with its numbered side menu. */
export function DashboardLayout() {
  const t = useText();
  const href = useHref();
  const accountItems = useAccountItems();
  const isMember = useProfile().data?.role === 'member';
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
            {isMember ? (
              <MemberArea>
                <Outlet />
              </MemberArea>
            ) : (
              <Outlet />
            )}
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
