import { createHash } from 'node:crypto';
import { type AgentPackage, agentPackages } from './agent-packages.ts';

/** Where the shop serves the script and the packages, each below its hash. */
export const HOST_SETUP_PATH = '/vpn-host';
/** Port of the shop's package, where systemd listens for it. */
const AGENT_PORT = 8443;

export type HostSetup = { script: string; sha256: string; packages: AgentPackage[] };

/** What sets a VPN host up, made of the packages of the agent alone, so that all nodes have the same; undefined: there is none. */
export async function hostSetup(folder: string): Promise<HostSetup | undefined> {
  const packages = await agentPackages(folder);
  if (packages.length === 0) return undefined;
  const script = scriptOf(packages);
  return { script, sha256: createHash('sha256').update(script).digest('hex'), packages };
}

type Addresses = { PUBLIC_URL: string; AGENT_URL?: string | undefined; AGENT_PORT: number };

/**
 * The line that an operator pastes on a new host, as root. apt-helper is part of every Debian and checks the hash; `printf` is a
 * part of the shell, so that the token stands in no list of processes.
 */
export function pastedLine(
  { PUBLIC_URL: pages, AGENT_URL, AGENT_PORT: port }: Addresses,
  { sha256 }: HostSetup,
  token: string,
): string {
  const agents = new URL(AGENT_URL ?? `https://${new URL(pages).hostname}:${port || AGENT_PORT}`);
  const file = '/root/fixpoint-vpn-host.sh';
  const from = `${pages}${HOST_SETUP_PATH}/${sha256}/setup.sh`;
  const fetch = `/usr/lib/apt/apt-helper -qq download-file ${from} ${file} SHA256:${sha256}`;
  return `${fetch} && printf %s '${token}' | sh ${file} ${pages} ${agents.hostname} ${agents.port || 443}`;
}

const choiceOf = ({ architecture, name, sha256 }: AgentPackage): string =>
  `  ${architecture}) name=${name} hash=${sha256} ;;`;

/** Checks what a host needs, and then installs the agent. It holds no secret: it reads the token from its input. */
const scriptOf = (packages: readonly AgentPackage[]): string => `#!/bin/sh
# Makes this machine a VPN host. Reads its enrolment token from standard input.
# setup.sh ADDRESS-OF-THE-SHOP NAME-FOR-AGENTS PORT-FOR-AGENTS
set -eu
umask 077
pages=$1 shop=$2 port=$3
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
${packages.map(choiceOf).join('\n')}
  *) fault "The shop has no agent for $architecture. Copy its package to AGENT_PACKAGES_DIR there." ;;
esac
[ ! -e "$state" ] || fault 'This machine is a VPN host already. To enrol it again: apt-get purge fixpoint-agent'
timeout 10 bash -c ': < "/dev/tcp/$1/$2"' bash "$shop" "$port" 2>/dev/null ||
  fault "$shop does not answer at TCP port $port. Open it there for this machine."
if [ -n "$faults" ]; then
  printf 'Nothing was changed. First mend this, and paste the line again:%s\\n' "$faults" >&2
  exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/lib/apt/apt-helper -qq download-file "$pages${HOST_SETUP_PATH}/$hash/$name" "$folder/$name" "SHA256:$hash"
# No name server or mirror that does not answer holds it up for minutes.
export DEBIAN_FRONTEND=noninteractive RES_OPTIONS='timeout:3 attempts:1'
packages() {
  apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}
unreachable='Some sources of packages do not answer. If they are the ones of Debian, check the name server of /etc/resolv.conf.'
# A source of another program that is unreachable must not stop it: apt calls that a warning.
packages -o APT::Update::Error-Mode=any update || echo "$unreachable" >&2
packages install --yes "$folder/$name"
sed -i '/^AGENT_SHOP=/d; /^AGENT_TOKEN=/d' "$settings"
printf 'AGENT_SHOP=%s\\nAGENT_TOKEN=%s\\n' "https://$shop:$port" "$token" >> "$settings"
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
