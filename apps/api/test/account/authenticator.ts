import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Software authenticator: ES256, no attestation, a signature counter, user verification. */
export function createAuthenticator(origin: string) {
  const domain = createHash('sha256').update(new URL(origin).hostname).digest();
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  /** The user ID of the registration, as an authenticator sends it back. */
  let userHandle: string | undefined;

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const uint = (value: number, bytes: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const text = (buffer: Buffer): string => buffer.toString('base64url');
  const credential = (response: Record<string, unknown>) => ({
    id: text(id),
    rawId: text(id),
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });

  return {
    create({ challenge, user }: Record<string, unknown>) {
      userHandle = (user as { id: string }).id;
      const { x, y } = publicKey.export({ format: 'jwk' });
      // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} and {fmt: 'none', attStmt: {}, authData}.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ]);
      const data = Buffer.concat([
        domain,
        Buffer.from([0x45]),
        uint(counter, 4),
        Buffer.alloc(16),
        uint(id.length, 2),
        id,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        uint(data.length, 2),
        data,
      ]);
      return credential({
        clientDataJSON: text(clientData('webauthn.create', String(challenge))),
        attestationObject: text(attestation),
        transports: ['internal'],
      });
    },

    get({ challenge }: Record<string, unknown>, sent = userHandle) {
      counter += 1;
      const data = Buffer.concat([domain, Buffer.from([0x05]), uint(counter, 4)]);
      const client = clientData('webauthn.get', String(challenge));
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return credential({
        authenticatorData: text(data),
        clientDataJSON: text(client),
        signature: text(sign('sha256', signed, privateKey)),
        ...(sent && { userHandle: sent }),
      });
    },
  };
}
