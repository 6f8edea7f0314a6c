/**
 * provisioning — owns host, static-IP pool, desired set with its revision, agent reports.
 * Promises: a subscription has one host and one address; hosts converge to the desired set by themselves.
 * Listens to: reports of VPN hosts.
 */
export { agentRoutes } from './agent-routes.ts';
export {
  assign,
  freeRestedAddresses,
  release,
  renewServerCertificates,
  serverOf,
  touch,
} from './assignments.ts';
export { type HostPlace, newHostToken, openHostAuthority } from './hosts.ts';
