import { Outlet } from 'react-router';
import { AuthShell } from '../../ui/frames.tsx';
import { TopBar } from '../top-bar.tsx';

/** The narrow column of log in and passwords. */
export function LoginLayout() {
  return (
    <>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <AuthShell>
          <Outlet />
        </AuthShell>
      </main>
    </>
  );
}
