import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { lazy, Suspense } from 'react';
import type { SubscriptionDetail } from '../../shop/subscriptions.ts';

const SubscriptionPeople = lazy(
  lazyComponent(
    () => import('./subscription-people.tsx'),
    of => of.SubscriptionPeople,
  ),
);

/** People of a subscription, loaded apart from its page: nearly everybody is alone. */
export function LazySubscriptionPeople(props: { subscription: SubscriptionDetail }) {
  if (props.subscription.people < 2) return null;
  return (
    <Suspense fallback={null}>
      <SubscriptionPeople {...props} />
    </Suspense>
  );
}
