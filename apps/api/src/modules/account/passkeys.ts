import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { newToken } from '../../crypto/secrets.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { lockOwner } from './lock-owner.ts';
import { notifyLoginChanged } from './notify-login-changed.ts';

/** `passkeyDomain`: domain that passkeys are bound to; `passkeyOrigins`: origins of its pages. */
export type PasskeyDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  brandName: string;
  passkeyDomain: string;
  passkeyOrigins: string[];
};
type Purpose = 'add' | 'login' | 'stepUp';
/** Answer of a browser. The library validates `response`. */
export type Credential = { id: string; response: object };
type Ceremony = { flow: string; options: Record<string, unknown> };

const LIFETIME_MS = 5 * 60_000;
/** ES256, EdDSA and RS256, which authenticators support. */
const ALGORITHMS = [-7, -8, -257];
const MOST_PER_CUSTOMER = 20;

/** Loaded on first use, because it is a tenth of all code at startup. */
const webauthn = () => import('./webauthn.ts');

async function begin(
  { db, clock }: PasskeyDeps,
  purpose: Purpose,
  options: { challenge: string },
  customerId: string | null,
): Promise<Ceremony> {
  const flow = newToken();
  const expires_at = new Date(clock.now().getTime() + LIFETIME_MS);
  const { challenge } = options;
  await db
    .insertInto('ceremony')
    .values({ id: flow, purpose, customer_id: customerId, challenge, expires_at })
    .execute();
  return { flow, options: { ...options } };
}

/** Consumes a ceremony. @returns its challenge */
async function finish(
  { db, clock }: PasskeyDeps,
  purpose: Purpose,
  flow: string,
  customerId: string | null,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('ceremony')
    .where('id', '=', flow)
    .where('purpose', '=', purpose)
    .where('customer_id', customerId === null ? 'is' : '=', customerId)
    .where('expires_at', '>', clock.now())
    .returning('challenge')
    .executeTakeFirst();
  return row?.challenge;
}

const ownPasskeys = (db: Db, customerId: string) =>
  db
    .selectFrom('passkey')
    .select(['id', 'name', 'transports', 'created_at'])
    .select(sql<string | null>`last_used_on::text`.as('lastUsedOn'))
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();

export async function listPasskeys(db: Db, customerId: string) {
  const rows = await ownPasskeys(db, customerId);
  return rows.map(({ id, name, created_at, lastUsedOn }) => ({
    id,
    name,
    lastUsedOn,
    createdAt: created_at.toISOString(),
  }));
}

/** Options of a registration. Requires user verification and a discoverable credential, which logs in without an email. */
export async function beginRegistration(deps: PasskeyDeps, customerId: string): Promise<Ceremony | Refusal> {
  const { email } = await deps.db
    .selectFrom('customer')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  const passkeys = await ownPasskeys(deps.db, customerId);
  if (passkeys.length >= MOST_PER_CUSTOMER) return refuse('forbidden');
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: deps.brandName,
    rpID: deps.passkeyDomain,
    userName: email,
    userDisplayName: email,
    userID: new Uint8Array(Buffer.from(customerId)),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return begin(deps, 'add', options, customerId);
}

export async function addPasskey(
  deps: PasskeyDeps,
  customerId: string,
  request: { flow: string; name: string; response: Credential },
) {
  const challenge = await finish(deps, 'add', request.flow, customerId);
  if (!challenge) return refuse('authenticationFailed');
  const { verifyRegistrationResponse } = await webauthn();
  const made = await verifyRegistrationResponse({
    response: request.response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: deps.passkeyOrigins,
    expectedRPID: deps.passkeyDomain,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!made?.verified) return refuse('authenticationFailed');
  const { id, publicKey, counter, transports } = made.registrationInfo.credential;
  const createdAt = deps.clock.now();
  const added = await deps.db.transaction().execute(async tx => {
    // Several registrations may have begun below the limit.
    if (!(await lockOwner(tx, customerId))) return undefined;
    if ((await ownPasskeys(tx, customerId)).length >= MOST_PER_CUSTOMER) return undefined;
    const row = await tx
      .insertInto('passkey')
      .values({
        id,
        counter,
        customer_id: customerId,
        name: request.name,
        created_at: createdAt,
        public_key: Buffer.from(publicKey),
        transports: transports ?? [],
        last_used_on: null,
      })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) await notifyLoginChanged(deps, tx, customerId, 'passkeyAdded');
    return row;
  });
  if (!added) return refuse('authenticationFailed');
  return { id, name: request.name, createdAt: createdAt.toISOString(), lastUsedOn: null };
}

/** Removes a passkey. False when the customer has none with this ID. */
export function removePasskey(deps: PasskeyDeps, customerId: string, id: string): Promise<boolean> {
  return deps.db.transaction().execute(async tx => {
    const removed = await tx
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('customer_id', '=', customerId)
      .returning('id')
      .executeTakeFirst();
    if (removed) await notifyLoginChanged(deps, tx, customerId, 'passkeyRemoved');
    return removed !== undefined;
  });
}

/** Options of an authentication. With `customerId` only that customer's passkeys are allowed. */
export async function beginAuthentication(
  deps: PasskeyDeps,
  purpose: 'login' | 'stepUp',
  customerId?: string,
): Promise<Ceremony> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: deps.passkeyDomain,
    userVerification: 'required',
    allowCredentials: customerId
      ? (await ownPasskeys(deps.db, customerId)).map(({ id, transports }) => ({ id, transports }))
      : [],
  });
  return begin(deps, purpose, options, customerId ?? null);
}

/**
 * Whether the authenticator's user handle is the user whose passkey it is (WebAuthn 7.2, step 6), by the ID that they had when
 * it was made. It may be absent only where the user is known already.
 */
function namesOwner({ response }: Credential, owner: string, isKnown: boolean): boolean {
  const { userHandle } = response as { userHandle?: unknown };
  if (userHandle === undefined || userHandle === null) return isKnown;
  return userHandle === Buffer.from(owner).toString('base64url');
}

/** Verifies a passkey's signature. @returns its customer */
export async function verifyPasskey(
  deps: PasskeyDeps,
  purpose: 'login' | 'stepUp',
  { flow, response }: { flow: string; response: Credential },
  customerId?: string,
): Promise<string | undefined> {
  const { db, clock } = deps;
  const challenge = await finish(deps, purpose, flow, customerId ?? null);
  const passkey = await db
    .selectFrom('passkey')
    .innerJoin('customer', 'customer.id', 'passkey.customer_id')
    .selectAll('passkey')
    .where('passkey.id', '=', response.id)
    .where('customer.status', '=', 'active')
    .executeTakeFirst();
  if (!challenge || !passkey) return undefined;
  if (!namesOwner(response, passkey.made_for ?? passkey.customer_id, customerId !== undefined))
    return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const proved = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: deps.passkeyOrigins,
    expectedRPID: deps.passkeyDomain,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!proved?.verified) return undefined;
  await db
    .updateTable('passkey')
    .set({ counter: proved.authenticationInfo.newCounter, last_used_on: bangkokDay(clock.now()) })
    .where('id', '=', passkey.id)
    .execute();
  return passkey.customer_id;
}
