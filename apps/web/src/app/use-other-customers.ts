import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useNavigate } from 'react-router';
import { useProfile } from '../server/profile.ts';
import { usePath } from '../shop/links.ts';
import { workFor } from '../shop/switch-customer.ts';
import { useText } from '../shop/texts.ts';

/** The other customers that the user works for, as items that switch to them. Empty for nearly everybody. */
export function useOtherCustomers(): { label: string; onSelect: () => void }[] {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  const { data } = useProfile();
  const change = useAction(async (customerId: string) => {
    await workFor(customerId);
    navigate(path('/management/dashboard'));
  });
  return (data?.customers ?? [])
    .filter(({ id }) => id !== data?.customerId)
    .map(({ id, name }) => ({ label: t('team.switch', { name }), onSelect: () => change.run(id) }));
}
