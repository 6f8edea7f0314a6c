import { createHash } from 'node:crypto';
import { type AgentPackage, agentPackages } from './agent-packages.ts';

/** Where the shop serves the script and the packages, each below its hash. */
export const HOST_SETUP_PATH = '/vpn-host';
/** Port of the shop's package, where systemd listens for it. */
const AGENT_PORT = 8443;

type Settings = {
  PUBLIC_URL: string;
  AGENT_URL?: string | undefined;
  AGENT_PORT: number;
  AGENT_PACKAGES_DIR: string;
};

export type HostSetup = { script: string; sha256: string; packages: AgentPackage[] };

/** What sets a VPN host up, made of the packages of the agent; undefined: there is none. */
export async function hostSetup(settings: Settings): Promise<HostSetup | undefined> {
  const packages = await agentPackages(settings.AGENT_PACKAGES_DIR);
  if (packages.length === 0) return undefined;
  const { hostname } = new URL(settings.PUBLIC_URL);
  const shop = new URL(settings.AGENT_URL ?? `https://${hostname}:${settings.AGENT_PORT || AGENT_PORT}`);
  const script = scriptOf(settings.PUBLIC_URL, shop, packages);
  return { script, sha256: createHash('sha256').update(script).digest('hex'), packages };
}

/**
 * The line that an operator pastes on a new host, as root. apt-helper is part of every Debian and checks the hash; `printf` is a
 * part of the shell, so that the token stands in no list of processes.
 */
export function pastedLine(publicUrl: string, { sha256 }: HostSetup, token: string): string {
  const file = '/root/fixpoint-vpn-host.sh';
  const from = `${publicUrl}${HOST_SETUP_PATH}/${sha256}/setup.sh`;
  return `/usr/lib/apt/apt-helper -qq download-file ${from} ${file} SHA256:${sha256} && printf %s '${token}' | sh ${file}`;
}

const choiceOf = (publicUrl: string, { architecture, name, sha256 }: AgentPackage): string =>
  `  ${architecture}) name=${name} hash=${sha256} from=${publicUrl}${HOST_SETUP_PATH}/${sha256}/${name} ;;`;

/** Checks what a host needs, and then installs the agent. It holds no secret: it reads the token from its input. */
const scriptOf = (publicUrl: string, shop: URL, packages: readonly AgentPackage[]): string => `#!/bin/sh
# Makes this machine a VPN host of ${publicUrl}. Reads its enrolment token from standard input.
set -eu
umask 077
token=
IFS= read -r token || true
settings=/etc/fixpoint-agent.env
state=/var/lib/fixpoint-agent/identity.json

faults=
fault() {
  faults="$faults
- $1"
}
[ -n "$token" ] || fault 'The token is missing: paste the whole line.'
[ "$(id -u)" = 0 ] || fault 'Run this as root.'
release=$(. /etc/os-release; echo "\${ID:-} \${VERSION_ID:-0}")
case "$release" in
  'debian 1'[2-9]* | 'debian '[2-9][0-9]*) ;;
  *) fault "This is no Debian 12 or newer, but $release." ;;
esac
[ -d /run/systemd/system ] || fault 'systemd does not run.'
[ -c /dev/net/tun ] || modprobe tun 2>/dev/null || true
[ -c /dev/net/tun ] || fault 'There is no /dev/net/tun. Ask the provider of the machine for TUN devices.'
architecture=$(dpkg --print-architecture)
case "$architecture" in
${packages.map(each => choiceOf(publicUrl, each)).join('\n')}
  *) fault "The shop has no agent for $architecture. Copy its package to AGENT_PACKAGES_DIR there." ;;
esac
[ ! -e "$state" ] || fault 'This machine is a VPN host already. To begin anew: apt-get purge fixpoint-agent'
timeout 10 bash -c ': < /dev/tcp/${shop.hostname}/${shop.port || 443}' 2>/dev/null ||
  fault '${shop.hostname} does not answer at TCP port ${shop.port || 443}. Open it there for this machine.'
if [ -n "$faults" ]; then
  printf 'Nothing was changed. First mend this, and paste the line again:%s\\n' "$faults" >&2
  exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/lib/apt/apt-helper -qq download-file "$from" "$folder/$name" "SHA256:$hash"
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes "$folder/$name"
sed -i '/^AGENT_SHOP=/d; /^AGENT_TOKEN=/d' "$settings"
printf 'AGENT_SHOP=%s\\nAGENT_TOKEN=%s\\n' '${shop.origin}' "$token" >> "$settings"
systemctl enable --quiet fixpoint-agent
systemctl restart fixpoint-agent
seconds=0
until [ -e "$state" ]; do
  if [ "$seconds" = 60 ]; then
    echo 'The agent has not enrolled within a minute. It goes on trying. Its log ends with:' >&2
    journalctl --unit=fixpoint-agent --lines=5 --output=cat --no-pager >&2
    exit 1
  fi
  sleep 1
  seconds=$((seconds + 1))
done
# It was good once.
sed -i '/^AGENT_TOKEN=/d' "$settings"
echo 'This machine is a VPN host now.'
`;
