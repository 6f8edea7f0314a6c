import { SettingsService } from '@simplewebauthn/server';

// The shop requests no attestation. Without root certificates the library ignores unsolicited ones, and so never fetches the
// URLs in them (S61).
for (const identifier of ['android-key', 'android-safetynet', 'apple', 'mds'] as const)
  SettingsService.setRootCertificates({ identifier, certificates: [] });

export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
