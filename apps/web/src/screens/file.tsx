import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { FetchedFile } from '../features/keys/fetched-file.tsx';
import { useQueryParams } from '../shop/links.ts';

/** `/file?token=`: where the code on the device sheet leads. */
export function Screen() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const params = useQueryParams();
  const [token] = useState(() => params.get('token') ?? '');
  // Out of the address at once, as of every secret link.
  useEffect(() => {
    if (search) navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);
  return <FetchedFile token={token} />;
}
