import { useLocation } from 'react-router';
import { pathBelowLanguage } from '../routing/language.ts';
import { Screen as Invitation } from './invitation.tsx';
import { Screen as PlaceNotice } from './place-notice.tsx';
import { Screen as UndoEmail } from './undo-email.tsx';

/** Screens that only links of emails open, in one part, because the first visit lists every part. */
export function Screen() {
  const path = pathBelowLanguage(useLocation().pathname);
  if (path.startsWith('/invitation')) return <Invitation />;
  return path.startsWith('/undo-email') ? <UndoEmail /> : <PlaceNotice />;
}
