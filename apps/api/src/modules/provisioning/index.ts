/**
 * provisioning — owns host, address pool, static IP, identity, assignment, the desired set with its revision, use.
 * Promises: an address has one holder; a subscription runs on one host, and while it moves on two; what a customer's
 * file trusts outlives hosts; hosts converge to the desired set by themselves.
 * Listens to: reports of VPN hosts.
 */
export { provisioningDuties, renewServerCertificate } from './duties.ts';
export { createHostCalls } from './host-calls.ts';
export { touch } from './host-change.ts';
export { hostsKeepPace, newHostToken, openHostAuthority, placesWithHost } from './hosts.ts';
export { insertIdentity, type NewIdentity, newIdentity, newServer, resumeIdentity } from './identity.ts';
export { leaveSilentHost, type Place, place } from './place.ts';
export { giveUpAddress, holdAddress, keepAddress, leaveHost } from './release.ts';
export { retireHost } from './retire.ts';
export { serverOf } from './server-of.ts';
