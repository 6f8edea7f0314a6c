/** Settings that differ in an installed shop, written out. */
const installed: Record<string, string> = {
  NODE_ENV: 'production',
  DATA_DIR: '/var/lib/fixpoint',
};
/** Groups that only a checkout uses. */
const ofCheckout = ['Set by npm start, the sandbox and tests', 'Installation'];

const HEAD = `# Settings of the Fixpoint shop on this machine. The package never overwrites this file.
# After a change: systemctl restart fixpoint-api fixpoint-worker
# A value with a space or # stands in quotes: COMPANY_NAME="Example Co., Ltd."
`;

/**
 * The first settings of an installed shop: all of .env.example, commented out, but those that an installed shop needs.
 * @param example text of .env.example
 */
export function settingsFile(example: string): string {
  const [, ...groups] = example.split(/^# --- (?=.* ---$)/m);
  const kept = groups.filter(text => !ofCheckout.some(title => text.startsWith(`${title} ---`)));
  return (
    HEAD +
    kept
      .map(text => `\n# --- ${text.trimEnd()}\n`)
      .join('')
      .replace(/^#(\w+)=.*$/gm, (line, name: string) =>
        installed[name] ? `${name}=${installed[name]}` : line,
      )
  );
}
