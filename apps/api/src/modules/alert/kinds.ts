const RETRY = 'npm run shop -- alerts retry SUBJECT';
const RESOLVE = 'npm run shop -- alerts resolve KIND SUBJECT';

/** What can need somebody's hand: the sentence for staff, and what to do. KIND and SUBJECT are the row's own. */
export const alertKinds = {
  'job.dead': {
    says: 'A job failed for a day and is not retried any more.',
    remedy: `Read its error in the log. Fix the cause. Put the job back into its queue: ${RETRY}`,
  },
  'job.failing': {
    says: 'Jobs of a queue have failed for minutes. They are retried for a day.',
    remedy:
      'Read their error in the log. Often a gateway or the mail server is unreachable, or refuses our key: npm run shop -- payments check. The alert is resolved once the jobs succeed.',
  },
  'task.failing': {
    says: 'A scheduled task fails or hangs, or fails for the rows that are listed.',
    remedy:
      'Read its error in the log; docs/operate/reference.md says what the task does. The alert is resolved once the task succeeds.',
  },
  'attempt.unknown': {
    says: 'A provider has not said for a day how a payment stands.',
    remedy: `Ask it now: ${RETRY}. The row goes by itself once it answers; else look the payment up there by the invoice reference.`,
  },
  'attempt.notMade': {
    says: 'A provider refuses to make payments by a method as we ask for them. Nobody is told that his card was refused; what renews is tried again on its next day.',
    remedy: `Read the log for its words, and look at the account there (npm run shop -- payments check); then: ${RESOLVE}`,
  },
  'attempt.differs': {
    says: 'A provider holds a payment of ours with another amount, currency or reference than we asked for.',
    remedy: `Compare it at the provider; give back what is not ours, then: ${RESOLVE}`,
  },
  'attempt.short': {
    says: 'Less money came than an invoice asks for. It is on its way back to the payer.',
    remedy: `Nothing, or write to the customer; then: ${RESOLVE}`,
  },
  'payment.gone': {
    says: 'Money that had come for good is gone again at its provider: a chain of blocks was replaced.',
    remedy: `Look it up there; take back what was given for it, or write it off, then: ${RESOLVE}`,
  },
  'payment.unapplied': {
    says: 'Money came that nobody asked for, and the account that it would be credit of has ended.',
    remedy:
      'Write to its payer where that is still possible, and pay it back from your own bank; then book it: npm run shop -- refund SUBJECT --by-hand --reason TEXT',
  },
  'payment.unknown': {
    says: 'A provider has taken money with a payment that is none of ours.',
    remedy:
      'Look it up at the provider and give it back there; then say so, of it and of its refund: npm run shop -- payments foreign PROVIDER SUBJECT --reason TEXT',
  },
  'refund.unknown': {
    says: 'A provider tells of a refund that is none of ours.',
    remedy:
      'Find out who made it at the provider. Of a payment of ours, book it: npm run shop -- refund INVOICE --made SUBJECT --amount 99.00 --reason TEXT. Of another one: npm run shop -- payments foreign PROVIDER SUBJECT --reason TEXT',
  },
  'refund.unfinished': {
    says: 'A refund is not final after a day.',
    remedy: `Try it again now: ${RETRY}. The row goes by itself once it is final; else look it up at the provider.`,
  },
  'refund.failed': {
    says: 'A refund failed for good: the money is with us and belongs to the payer.',
    remedy:
      'Try it again: npm run shop -- refund SUBJECT --again. Or pay it back from your own bank, then book it: npm run shop -- refund SUBJECT --by-hand --reason TEXT',
  },
  'dispute.unknown': {
    says: 'A provider tells of a dispute, and of none of our payments, or does not let us look at it.',
    remedy: `Look it up and answer it at the provider, then: ${RESOLVE}`,
  },
  dispute: {
    says: 'A payer disputes a payment.',
    remedy:
      'Answer it at the provider before its deadline, with what this writes: npm run shop -- dispute evidence SUBJECT. The row goes by itself once it is decided.',
  },
  'dispute.lost': {
    says: 'A dispute was lost: the money of a payment is gone, and a credit note says so.',
    remedy: `Decide what becomes of the subscription (one that was suspended: npm run shop -- dispute restore SUBSCRIPTION), then: ${RESOLVE}`,
  },
  'dispute.regained': {
    says: 'A dispute that was lost was decided for us after all. Its credit note stands, so the money is owed to the payer.',
    remedy: `Agree with the customer: give it back (npm run shop -- refund CREDITNOTE --again), or bill it again; then: ${RESOLVE}`,
  },
  'provider.differs': {
    says: 'A provider and the shop do not say the same of a payment, refund or dispute.',
    remedy:
      'Look it up at the provider. What is none of ours: give it back there, then say so: npm run shop -- payments foreign PROVIDER REF --reason TEXT. A refund that was made there: npm run shop -- refund INVOICE --made REF --amount … --reason TEXT. The row goes by itself within an hour after both say the same.',
  },
  'provider.balance': {
    says: 'A provider and the shop do not say the same of everything since the beginning, down to the balance.',
    remedy:
      'What differs, with the query of each: npm run shop -- books. The row goes by itself within a day after both say the same.',
  },
  'cards.wave': {
    says: 'Banks refuse unusually many cards within an hour: somebody may be trying stolen ones.',
    remedy: `Look at the refusals at the provider; let it ask for 3-D Secure more often, or block what they share; then: ${RESOLVE}`,
  },
  'host.overtaken': {
    says: 'A VPN host knows more than the shop: the shop was restored from a backup. What the host knows to have ended since stays closed there.',
    remedy: `The shop has again what was deleted since the backup: npm run shop -- host drift counts what the host keeps out of it (missing keys, subscriptions that it does not serve). Delete it again, and retire hosts again where you know of it, then: ${RESOLVE}`,
  },
  'host.silent': {
    says: 'A VPN host is not heard of, and nobody has planned that. Its tunnels may still run: they go on for seven days without the shop.',
    remedy:
      'What it has: npm run shop -- host show --host SUBJECT. Is its machine on, and does it reach the shop (systemctl status fixpoint-agent there)? If it is lost, switch it off at its provider; then its customers go elsewhere with npm run shop -- host move --host SUBJECT --to HOST --off, or another machine takes its place with npm run shop -- host replace --host SUBJECT --off. The row goes by itself within a minute after it was heard of. Nothing is said of a host that was drained (npm run shop -- host drain --host SUBJECT) and that nobody is on any more.',
  },
  'host.clock': {
    says: 'The clock of a VPN host is wrong by some minutes (before 0: it is late). Its tunnels go on: the host goes by the time of the shop.',
    remedy:
      'Set it, and find out why nothing does: timedatectl on that host (install systemd-timesyncd or chrony). Certificates look invalid to a clock that is off by days. The row goes by itself within a minute after the clock is right.',
  },
  'entitlement.drift': {
    says: 'A VPN host lets somebody in who has not paid, or keeps somebody out who has, and could not put it right. behind: changes that it does not apply; failed: subscriptions that do not run there.',
    remedy:
      'See where: npm run shop -- host drift, and the journal of that host: journalctl -u fixpoint-agent. Somebody or something changes what the agent makes there, its disk takes nothing, or its kernel refuses; or an address that a customer has is the machine’s own by now (ownAddress there; npm run shop -- host show --host SUBJECT names those): give the machine another. The row goes by itself once both say the same.',
  },
  'delivery.failed': {
    says: 'A VPN host did not bring a new subscription up within a minute, or has connected to it and not found what was sold. It went to another host of the place; where there is none that works, its customer is served there all the same.',
    remedy:
      'The checks that failed are beside it. start: it does not come up (npm run shop -- host drift, and journalctl -u fixpoint-agent there); tunnel: openvpn (how far its client came: probeNotLetIn in that host’s journal); address: masking, or a firewall beside ours; address6: the routed prefix; dns: the resolvers, or the way of the sold address to this host; rate: tc. New customers come to this host last until it is mended: npm run shop -- alerts resolve KIND SUBJECT. The row goes by itself, too, once a probe succeeds there.',
  },
  'delivery.unchecked': {
    says: 'A VPN host cannot look whether new subscriptions work there: no probe gets a network of its own, or nothing that it needs starts.',
    remedy:
      'See there: systemctl status fixpoint-agent-probe.socket, and the journal. Its customers are served meanwhile, unchecked. The row goes by itself once a probe succeeds there.',
  },
  'subscription.waiting': {
    says: 'Customers have paid at a place and wait for a host for days.',
    remedy:
      'Beside it: how many, and since when the first. Add a host there (npm run shop -- host add), give one another range (host set --pool), or find out why none serves them (host list). Until then sell no more of it: take waitingList off the place (catalogue import). Who waits can withdraw on the page of his subscription, with all that he has paid. The row goes by itself once nobody there waits so long.',
  },
  'books.differ': {
    says: 'The books do not balance.',
    remedy: 'See what differs: npm run shop -- books. The row goes by itself once they balance.',
  },
} as const satisfies Record<string, { says: string; remedy: string }>;

export type AlertKind = keyof typeof alertKinds;
