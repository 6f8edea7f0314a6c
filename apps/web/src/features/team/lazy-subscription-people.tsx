import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { lazy, Suspense } from 'react';
import { useProfile } from '../../server/profile.ts';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';

const SubscriptionPeople = lazy(
  lazyComponent(
    () => import('./subscription-people.tsx'),
    of => of.SubscriptionPeople,
  ),
);

/** People of a subscription, loaded apart from its page: nearly everybody is alone, and sees nothing. */
export function LazySubscriptionPeople(props: { subscription: SubscriptionDetail }) {
  const { data } = useProfile();
  const here = data?.customers.find(({ id }) => id === data.customerId);
  if (!here || here.people < 2) return null;
  return (
    <Suspense fallback={null}>
      <SubscriptionPeople {...props} />
    </Suspense>
  );
}
