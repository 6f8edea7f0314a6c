import { AuthShell } from '@fixpoint/ui/auth-shell.tsx';
import { Outlet } from 'react-router';

/** The narrow column of log in and passwords. */
export function LoginLayout() {
  return (
    <main id="main" tabIndex={-1}>
      <AuthShell>
        <Outlet />
      </AuthShell>
    </main>
  );
}
