/**
 * provisioning — owns host, fenced host, address pool, static IP, identity, assignment, desired set and its revision, usage.
 * Promises: an address has one holder; a subscription runs on one host, and during a migration is assigned to two; an
 * identity outlives hosts; hosts converge to the desired set by themselves.
 * Listens to: reports of VPN hosts.
 */

export {
  endReservation,
  extendReservation,
  hasAddress,
  isStranded,
  releaseAddress,
  releaseStrandedAddress,
  reserveAddress,
} from './address-reservation.ts';
export {
  assignHost,
  assignHostToNew,
  hasNotStarted,
  isHostFailing,
  isUp,
  leaveHost,
  leaveUnusableHost,
} from './assign-host.ts';
export { driftByHost, driftSum, entitlementDrift, servedNowhere } from './drift.ts';
export { type HostAuthority, openHostAuthority } from './host-authority.ts';
export { createHostCalls } from './host-calls.ts';
export { readHostSettings, type WrittenSettings } from './host-settings.ts';
export { customersOnHost, hostDetails, hostList } from './host-view.ts';
export {
  addHost,
  drainHost,
  type HostDeps,
  lockOccupancy,
  placesWithHost,
  replaceHost,
  setHost,
  shiftHostTimes,
} from './hosts.ts';
export { insertIdentity, type NewIdentity, newIdentity, newServer, resumeIdentity } from './identity.ts';
export {
  confirmRouted,
  enqueueMigrationSteps,
  followMigration,
  isUnderWay,
  type MigrationState,
  migrateHost,
  migrationsBetween,
} from './migrate-host.ts';
export { noLogsProofs, saveNoLogsProof } from './no-logs-proofs.ts';
export { ownRanges, partColumns, partOf } from './own-ranges.ts';
export { markAllDirty, markDirty } from './pending-change.ts';
export { statusPage } from './place-status.ts';
export { removePool } from './pools.ts';
export { reEncryptAuthoritySecrets } from './re-encrypt-hosts.ts';
export { renewServerCertificate } from './renew-server-certificate.ts';
export type { HostEvent } from './reports.ts';
export { planRetirement, retireHost } from './retire-host.ts';
export { serverOf } from './server-of.ts';
export { provisioningTasks } from './tasks/index.ts';
export { tunnelCounts } from './tunnel-counts.ts';
