import type { Finding, Machine } from './machine.ts';

/** Answers of a name server that say that there is no such record. Any other failure says nothing. */
const ABSENT = ['ENOTFOUND', 'ENODATA'];
/** The longest that all look-ups together may take. */
const DNS_MS = 5_000;

/** Records of a name; undefined when nobody could say. */
const recordsOf = async <T>(asked: Promise<T[]>): Promise<T[] | undefined> =>
  asked.catch((error: { code?: string }) => (ABSENT.includes(error.code ?? '') ? [] : undefined));

const unknown = (name: string): Finding => ({
  about: `DNS of ${name}`,
  todo: 'No name server answers: check /etc/resolv.conf, then run fixpoint doctor.',
});

async function addressOf({ dns }: Machine, name: string): Promise<Finding[]> {
  const [four, six] = await Promise.all([recordsOf(dns.resolve4(name)), recordsOf(dns.resolve6(name))]);
  if (four?.length || six?.length) return [];
  if (!four || !six) return [unknown(name)];
  return [
    {
      about: `DNS of ${name}`,
      todo: `It has no address. Add an A record (and AAAA, if the server has IPv6) that points at this server.`,
    },
  ];
}

async function textOf({ dns }: Machine, name: string, beginning: string, todo: string): Promise<Finding[]> {
  const found = await recordsOf(dns.resolveTxt(name));
  if (!found) return [unknown(name)];
  const has = found.some(parts => parts.join('').toLowerCase().startsWith(beginning));
  return has ? [] : [{ about: `DNS of ${name}`, todo }];
}

/**
 * Checks that customers find the shop, and that mail servers believe its emails. It asks for all records at once and gives up
 * after five seconds.
 * @param sender `MAIL_FROM`
 */
export async function checkDns(
  machine: Machine,
  urls: readonly string[],
  sender: string,
): Promise<Finding[]> {
  const names = [...new Set(urls.map(url => new URL(url).hostname))];
  const domain = /@([^@>\s]+)>?\s*$/.exec(sender)?.[1] ?? '';
  const tooLong = setTimeout(() => machine.dns.cancel(), DNS_MS);
  const found = await Promise.all([
    ...names.map(name => addressOf(machine, name)),
    textOf(
      machine,
      domain,
      'v=spf1',
      'It has no SPF record, so emails end up as spam. Add a TXT record that names your mail server: v=spf1 a:mail.example.com -all',
    ),
    textOf(
      machine,
      `_dmarc.${domain}`,
      'v=dmarc1',
      `It has no DMARC record, so anybody can send as you. Add a TXT record: v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`,
    ),
  ]);
  clearTimeout(tooLong);
  return found.flat();
}
