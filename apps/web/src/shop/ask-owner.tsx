import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useLocation, useNavigate } from 'react-router';
import { useProfile } from '../server/profile.ts';
import { usePath } from './links.ts';
import { workFor } from './switch-customer.ts';
import { useText } from './texts.ts';

/**
 * Says that the user's role may not see or do something, and what they can do instead: ask, work for another customer of theirs,
 * or buy for themselves. Renders nothing while the role is unknown.
 * @param props.stays the page makes sense for another customer, too
 */
export function AskOwner({ stays }: { stays?: boolean }) {
  const t = useText();
  const path = usePath();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { data: profile } = useProfile();
  const work = useAction(async (customerId: string) => {
    await workFor(customerId);
    // The end of the session before has led away from here.
    navigate(stays ? `${pathname}${search}` : path('/management/subscription/new'));
  });
  if (!profile) return null;
  const { id, customerId, customers } = profile;
  const isMember = profile.role === 'member';
  const name = customers.find(customer => customer.id === customerId)?.name ?? '';
  const others = customers.filter(
    customer => customer.id !== customerId && customer.id !== id && customer.role !== 'member',
  );
  return (
    <Alert
      type="info"
      action={
        <Cluster>
          {isMember && (
            <Button busy={work.busy} onClick={() => work.run(id)}>
              {t('team.forbidden.buy')}
            </Button>
          )}
          {others.map(other => (
            <Button key={other.id} busy={work.busy} onClick={() => work.run(other.id)}>
              {t('team.switch', { name: other.name })}
            </Button>
          ))}
        </Cluster>
      }
    >
      {t(isMember ? 'team.forbidden.member' : 'team.forbidden.buyer', { name })}
    </Alert>
  );
}
