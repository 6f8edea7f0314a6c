import { FetchedFile } from '../features/keys/fetched-file.tsx';
import { useLinkToken } from '../shop/links.ts';

/** `/file?token=`: where the code on the device sheet leads. */
export function Screen() {
  const { token, forget } = useLinkToken();
  return <FetchedFile key={token} token={token} onSpent={forget} />;
}
