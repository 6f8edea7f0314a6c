import { FetchedFile } from '../features/keys/fetched-file.tsx';
import { useLinkToken } from '../shop/links.ts';

/** `/file?token=`: where the code on the device sheet leads. */
export function Screen() {
  return <FetchedFile token={useLinkToken()} />;
}
