import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { type ComponentProps, lazy, Suspense } from 'react';
import { useText } from '../shop/texts.ts';

const CompanyFields = lazy(
  lazyComponent(
    () => import('./company-fields.tsx'),
    it => it.CompanyFields,
  ),
);

/** The fields of a company, loaded when somebody buys for one. */
export function LazyCompanyFields(props: ComponentProps<typeof CompanyFields>) {
  const t = useText();
  return (
    <Suspense fallback={<Skeleton lines={6} label={t('app.loading')} />}>
      <CompanyFields {...props} />
    </Suspense>
  );
}
