import { SettingsService } from '@simplewebauthn/server';

// Nobody is asked what made his passkey. Without roots the library follows no certificates that a client sends of his
// own accord, and so asks none of the addresses that stand in them (S61).
for (const identifier of ['android-key', 'android-safetynet', 'apple', 'mds'] as const)
  SettingsService.setRootCertificates({ identifier, certificates: [] });

export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
