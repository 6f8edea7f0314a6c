import { UndoEmail } from '../features/auth/undo-email.tsx';

/** `/undo-email?token=`: target of the email about a changed address. */
export function Screen() {
  return <UndoEmail />;
}
