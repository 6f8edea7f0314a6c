import { useLocation } from 'react-router';
import { pathBelowLanguage } from '../routing/language.ts';
import { Screen as Invitation } from './invitation.tsx';
import { Screen as PlaceNotice } from './place-notice.tsx';
import { Screen as Status } from './status.tsx';
import { Screen as UndoEmail } from './undo-email.tsx';

/** Screens that few visits open, mostly by links of emails, in one part, because the first visit lists every part. */
export function Screen() {
  const path = pathBelowLanguage(useLocation().pathname);
  if (path.startsWith('/invitation')) return <Invitation />;
  if (path.startsWith('/status')) return <Status />;
  return path.startsWith('/undo-email') ? <UndoEmail /> : <PlaceNotice />;
}
