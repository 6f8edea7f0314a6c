/** How soon somebody has to act: at once, on the same day, or when there is time. The most severe comes first. */
export const severities = ['critical', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];

export const channelNames = ['email', 'webhook', 'ntfy', 'slack'] as const;
export type ChannelName = (typeof channelNames)[number];

/** An alert as a message names it: no personal data, no network address. */
export type ToldAlert = {
  kind: string;
  subject: string;
  severity: Severity;
  summary: string;
  facts: Record<string, string>;
  remedy: string;
  since: string;
  resolvedAt: string | null;
};

/** A message to staff. */
export type AlertMessage = {
  /** The same for every repetition of the same message. */
  id: string;
  event: 'opened' | 'resolved' | 'summary' | 'digest' | 'test';
  severity: Severity;
  /** One line. */
  title: string;
  /** Plain text without the title. */
  text: string;
  alerts: readonly ToldAlert[];
  /** Where the reference is: an address, or a path in the project. */
  link: string;
};

/** Tells staff of an alert. */
export type AlertChannel = {
  name: ChannelName;
  /** @throws Error that names neither address nor secret, while the channel does not accept the message */
  send(message: AlertMessage): Promise<void>;
};

/** A channel with what the operator wants to hear by it. */
export type ConfiguredChannel = AlertChannel & {
  /** The least severe alerts that it is told. */
  least: Severity;
  /** Only these kinds; all where it is empty. */
  kinds: readonly string[];
};

/** How staff is told of alerts, by the settings. */
export type Alerting = {
  channels: readonly ConfiguredChannel[];
  /** Minutes of the day in Bangkok between which only critical alerts are told; undefined: none. */
  quiet: { from: number; to: number } | undefined;
  /** Messages per channel and hour, critical ones and others each. */
  mostAnHour: number;
  /** Hour of the day in Bangkok of the daily digest; undefined: none. */
  digestHour: number | undefined;
  /** Fetches the heartbeat address; undefined: there is none. */
  beat: (() => Promise<void>) | undefined;
  brand: string;
  /** Where these pages are (docs/operate), for the links in messages. */
  docs: string;
};
