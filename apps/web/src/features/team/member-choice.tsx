import { Select } from '@fixpoint/ui/select.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../server/api.ts';
import { queryClient } from '../../server/query.ts';
import { subscriptionName } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { NumberOfDevices } from './number-of-devices.tsx';

/** What a member may have: devices of a subscription, the newest one unless another was chosen. */
export type Given = { subscriptionId?: string; devices: number };

const MOST = 100;
const runningQuery = queryOptions({
  queryKey: ['subscriptions', 'running'],
  queryFn: async () => {
    const { items } = await api.subscription.mySubscription({
      body: { page: 1, size: MOST, sort: 'newest' },
    });
    return items.filter(({ status }) => status !== 'expired');
  },
});

/** What is sent with the invitation of a member; nothing while the account has no subscription. */
export async function givenTo({ subscriptionId, devices }: Given) {
  const [newest] = await queryClient.ensureQueryData(runningQuery);
  const id = subscriptionId ?? newest?.id;
  return id === undefined ? {} : { subscriptionId: id, devices };
}

/** For which subscription somebody is invited as a member, and how many devices they may have there. */
export function MemberChoice({ value, onChange }: { value: Given; onChange: (given: Given) => void }) {
  const t = useText();
  const { data: running } = useQuery(runningQuery);
  if (!running || running.length === 0) return null;
  return (
    <>
      <Select
        label={t('subscription.title')}
        value={value.subscriptionId ?? running[0]!.id}
        options={running.map(one => ({ value: one.id, label: subscriptionName(one) }))}
        onChange={({ target }) => onChange({ ...value, subscriptionId: target.value })}
      />
      <NumberOfDevices
        least={1}
        value={value.devices}
        onChange={devices => onChange({ ...value, devices })}
      />
    </>
  );
}
