import { useParams } from 'react-router';
import { PlanChange } from '../../features/subscription/plan-change.tsx';

/** The line of a subscription as it is today; support changes it. */
export function Screen() {
  const { id = '' } = useParams();
  return <PlanChange id={id} title="bandwidth.title" lead="bandwidth.lead" change="bandwidth.change" />;
}
