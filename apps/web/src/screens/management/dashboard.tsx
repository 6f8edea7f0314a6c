import { Navigate } from 'react-router';
import { usePath } from '../../lib/links.ts';

/** The account opens on what a customer comes for: the subscriptions. */
export function Screen() {
  const path = usePath();
  return <Navigate to={path('/management/subscription')} replace />;
}
