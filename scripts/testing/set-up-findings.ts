/** What `fixpoint setup` and `doctor` find on a machine without a proxy, a name server and a way to the internet. */
export const outside = [
  ...['example.com', '_dmarc.example.com', 'pay.example.com', 'shop.example.com'].map(
    name => `- DNS of ${name}`,
  ),
  '- Proxy',
  '- Ready',
  ...['btcpay', 'paypal', 'stripe'].map(name => `- ${name}, webhook address, tried from this machine`),
];

/** What is left to do. */
export const leftOf = (said: string): Set<string> => new Set(said.split('To do:')[1]!.match(/^- [^:]+/gm));

/** The sandbox's webhooks lead to this machine, not to the name of the shop. */
export const wrongInSandbox = (said: string): string[] =>
  said.match(/^- (stripe|paypal|btcpay), (?!webhook address)[^:]+/gm) ?? [];
