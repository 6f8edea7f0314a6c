import { useParams } from 'react-router';
import { PlanChange } from '../../features/subscription/plan-change.tsx';

/** The plan of a subscription as it is today; support changes it. */
export function Screen() {
  const { id = '' } = useParams();
  return <PlanChange id={id} title="upgrade.title" lead="upgrade.lead" change="upgrade.change" />;
}
