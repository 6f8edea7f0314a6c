import { loadOrFault } from '@fixpoint/ui/lib/chunk.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Answer of the server's `…Options` calls. */
type Ceremony = { flow: string; options: Record<string, unknown> };
/** The browser's answer, for the call that ends the ceremony. */
export type PasskeyAnswer = { flow: string; response: { id: string; response: Record<string, unknown> } };

/** Id of the customer whose passkey answered; undefined if the device does not return it. */
export function passkeyOwnerId({ response }: PasskeyAnswer): string | undefined {
  const { userHandle } = response.response;
  return typeof userHandle === 'string'
    ? atob(userHandle.replaceAll('-', '+').replaceAll('_', '/'))
    : undefined;
}

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

const load = () => loadOrFault(() => import('@simplewebauthn/browser'));

/**
 * Maps cancellation, timeout and a missing passkey to `Cancelled`: browsers do not distinguish
 * them, on purpose.
 */
async function unlessCancelled(
  flow: string,
  ceremony: Promise<{ id: string; response: object }>,
): Promise<PasskeyAnswer> {
  try {
    const answer = await ceremony;
    return { flow, response: { ...answer, response: { ...answer.response } } };
  } catch (error) {
    const { name } = error as Error;
    throw name === 'NotAllowedError' || name === 'AbortError' ? new Cancelled() : error;
  }
}

/** Creates a passkey on the device. Throws `Cancelled` if the customer cancels. */
export async function createPasskey({ flow, options }: Ceremony): Promise<PasskeyAnswer> {
  const { startRegistration } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return unlessCancelled(flow, startRegistration({ optionsJSON }));
}

/** Signs in with a passkey of the device. Throws `Cancelled` if the customer cancels. */
export async function authenticateWithPasskey({ flow, options }: Ceremony): Promise<PasskeyAnswer> {
  const { startAuthentication } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return unlessCancelled(flow, startAuthentication({ optionsJSON }));
}
