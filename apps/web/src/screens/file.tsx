import { FetchedFile } from '../features/keys/fetched-file.tsx';
import { useLinkToken } from '../shop/links.ts';

/** `/file?token=`: target of the QR code in the device dialog. */
export function Screen() {
  const { token, forget } = useLinkToken();
  return <FetchedFile key={token} token={token} onSpent={forget} />;
}
