import { alertOldAgentsTask } from './alert-old-agents.ts';
import { alertSilentHostsTask } from './alert-silent-hosts.ts';
import { clearLostHostsTask } from './clear-lost-hosts.ts';
import { clearRetiredHostsTask } from './clear-retired-hosts.ts';
import { deleteEndedIdentitiesTask } from './delete-ended-identities.ts';
import { deleteOldUsageTask } from './delete-old-usage.ts';
import { followMovesTask } from './follow-moves.ts';
import { notifyAddressReleaseTask } from './notify-address-release.ts';
import { releaseAddressesTask } from './release-addresses.ts';
import { renewServerCertificatesTask } from './renew-server-certificates.ts';
import { resolveRetiredHostAlertsTask } from './resolve-retired-host-alerts.ts';
import { watchPlacesTask } from './watch-places.ts';

export const provisioningTasks = [
  releaseAddressesTask,
  notifyAddressReleaseTask,
  deleteEndedIdentitiesTask,
  deleteOldUsageTask,
  clearRetiredHostsTask,
  clearLostHostsTask,
  followMovesTask,
  alertSilentHostsTask,
  alertOldAgentsTask,
  resolveRetiredHostAlertsTask,
  renewServerCertificatesTask,
  watchPlacesTask,
];
