import { bring } from '@fixpoint/ui/lib/chunk.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** What the server's `…Options` calls answer. */
type Ceremony = { flow: string; options: Record<string, unknown> };
/** The browser's answer, for the call that ends the ceremony. */
export type PasskeyAnswer = { flow: string; response: { id: string; response: Record<string, unknown> } };

/** Id of the customer whose passkey has answered, as it was made for him; undefined where the device does not tell. */
export function ownerOf({ response }: PasskeyAnswer): string | undefined {
  const { userHandle } = response.response;
  return typeof userHandle === 'string'
    ? atob(userHandle.replaceAll('-', '+').replaceAll('_', '/'))
    : undefined;
}

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

const load = () => bring(() => import('@simplewebauthn/browser'));

/** Turned away, run out of time, or no such passkey: browsers do not tell these apart, on purpose. */
async function unlessTurnedBack(
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

/** Has the device make a passkey. Throws `Cancelled` when the customer turns back. */
export async function makePasskey({ flow, options }: Ceremony): Promise<PasskeyAnswer> {
  const { startRegistration } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return unlessTurnedBack(flow, startRegistration({ optionsJSON }));
}

/** Has the device answer with a passkey. Throws `Cancelled` when the customer turns back. */
export async function answerWithPasskey({ flow, options }: Ceremony): Promise<PasskeyAnswer> {
  const { startAuthentication } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return unlessTurnedBack(flow, startAuthentication({ optionsJSON }));
}
