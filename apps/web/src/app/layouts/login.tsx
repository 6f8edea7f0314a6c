import { Outlet } from 'react-router';
import { AuthShell } from '../../ui/auth-shell.tsx';

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
