import { AuthShell } from '@fixpoint/ui/auth-shell.tsx';
import { Outlet } from 'react-router';

/** Narrow column of log-in and password screens. */
export function LoginLayout() {
  return (
    <main id="main" tabIndex={-1}>
      <AuthShell>
        <Outlet />
      </AuthShell>
    </main>
  );
}
