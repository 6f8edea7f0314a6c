// Made by scripts/gen-tables.ts from the migrations: change those, not this.
import type { ColumnType, Generated } from 'kysely';
import type { JsonColumns } from './json-columns.ts';

/** The tables of `apps/api/migrations`, as Kysely reads and writes them. bigint comes as number (see database.ts). */
type Instant = ColumnType<Date, Date, Date>;
type MaybeInstant = ColumnType<Date | null, Date | null | undefined, Date | null>;

export type Tables = {
  plan: {
    id: string;
    category: string;
    position: number;
    devices: number;
    data_transfer_gb: number;
    rate_mbit: number;
    port_forward: Generated<boolean>;
    active: Generated<boolean>;
  };
  plan_price: {
    plan_id: string;
    currency: string;
    cycle_count: number;
    price: number;
    renewal: number;
  };
  provider: {
    id: string;
    name: string;
  };
  vendor: {
    id: string;
    name: string;
  };
  region: {
    id: string;
    name: string;
    country: string;
    latitude: number;
    longitude: number;
  };
  offer: {
    provider_id: string;
    region_id: string;
    vendor_id: string;
    active: Generated<boolean>;
    waiting_list: Generated<boolean>;
  };
  product: {
    id: string;
    plan_id: string;
    cycle_count: number;
    provider_id: string;
    region_id: string;
    vendor_id: string;
  };
  vat_rate: {
    country: string;
    rate_bp: number;
  };
  shop_clock: {
    id: Generated<boolean>;
    ahead_ms: number;
  };
  master_key: {
    one: Generated<boolean>;
    fingerprint: Buffer;
    root_sealed: Buffer;
  };
  setting: {
    key: string;
    value: string;
  };
  text_override: {
    language: string;
    key: string;
    text: string;
  };
  alert: {
    kind: string;
    subject: string;
    since: Instant;
    last_seen: Instant;
    times: Generated<number>;
    what: Generated<JsonColumns['alert.what']>;
    resolved_at: MaybeInstant;
    openings: Generated<number>;
  };
  customer: {
    id: string;
    email: string;
    language: string;
    password_hash: string | null;
    status: Generated<'active' | 'disabled' | 'deleted'>;
    created_at: Instant;
    erase_at: MaybeInstant;
    emails_off: Generated<string[]>;
    display_name: string | null;
    founder_id: string | null;
  };
  session: {
    id: string;
    customer_id: string;
    access_hash: Buffer;
    access_expires_at: Instant;
    refresh_hash: Buffer;
    previous_refresh_hash: Buffer | null;
    rotated_at: Instant;
    idle_expires_at: Instant;
    expires_at: Instant;
    ended_at: MaybeInstant;
    browser: string | null;
    system: string | null;
    created_at: Instant;
    confirmed_at: Instant;
    own_browser: Generated<boolean>;
    user_id: string | null;
    role: 'member' | 'buyer' | 'owner' | null;
  };
  link_token: {
    token_hash: Buffer;
    customer_id: string;
    purpose: 'setPassword';
    expires_at: Instant;
    used_at: MaybeInstant;
    user_id: string | null;
  };
  challenge: {
    id: string;
    purpose: 'signUp' | 'resetPassword' | 'changePassword' | 'changeEmail';
    email: string;
    customer_id: string | null;
    device: string | null;
    code_hash: Buffer | null;
    tries: Generated<number>;
    sent_at: Instant;
    expires_at: Instant;
    used_at: MaybeInstant;
    grant_hash: Buffer | null;
    grant_expires_at: MaybeInstant;
    password_hash: string | null;
    language: string | null;
    terms_version: string | null;
    user_id: string | null;
  };
  totp: {
    customer_id: string;
    secret_sealed: Buffer;
    confirmed_at: MaybeInstant;
    last_step: Generated<number>;
    user_id: string | null;
  };
  recovery_code: {
    customer_id: string;
    code_hash: Buffer;
    user_id: string | null;
    made_for: string | null;
  };
  passkey: {
    id: string;
    customer_id: string;
    name: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    created_at: Instant;
    last_used_on: string | null;
    user_id: string | null;
    made_for: string | null;
  };
  ceremony: {
    id: string;
    purpose: 'add' | 'login' | 'stepUp';
    customer_id: string | null;
    challenge: string;
    expires_at: Instant;
    user_id: string | null;
  };
  limit_count: {
    key: Buffer;
    count: number;
    ends_at: Instant;
    next_at: Instant;
  };
  idempotency_record: {
    key: Buffer;
    body: Buffer;
    attempt: number;
    locked_until: Instant;
    answer_sealed: Buffer | null;
    ends_at: Instant;
  };
  shop_order: {
    id: string;
    token_hash: Buffer;
    check_hash: Buffer;
    status: 'draft' | 'awaitingPayment' | 'paid' | 'fulfilled' | 'failed' | 'expired' | 'refunded';
    version: Generated<number>;
    category: string;
    product_id: string;
    entitlements: JsonColumns['shop_order.entitlements'];
    subscription_id: string | null;
    upgrade: JsonColumns['shop_order.upgrade'] | null;
    keeps_address: Generated<boolean>;
    replacement: JsonColumns['shop_order.replacement'] | null;
    currency: string;
    price: number;
    net: number;
    vat: number;
    vat_rate_bp: number;
    renewal: number;
    first_year: boolean;
    customer_id: string | null;
    email: string | null;
    language: string | null;
    terms_version: string | null;
    payment_method: 'card' | 'paypal' | 'bitcoin' | 'promptpay' | null;
    failure: string | null;
    created_at: Instant;
    expires_at: Instant;
    paid_at: MaybeInstant;
    fulfilled_at: MaybeInstant;
    made_account: Generated<boolean>;
    email_changed_at: MaybeInstant;
    emailed_at: MaybeInstant;
  };
  subscription: {
    id: string;
    customer_id: string;
    order_id: string;
    product_id: string;
    status: 'provisioning' | 'active' | 'pastDue' | 'expired';
    version: Generated<number>;
    devices: number;
    data_transfer_gb: number;
    rate_mbit: number;
    port_forward: Generated<boolean>;
    currency: string;
    renewal: number;
    vat_rate_bp: number;
    cycle_count: number;
    created_at: Instant;
    started_at: MaybeInstant;
    anchor_at: MaybeInstant;
    period_start: MaybeInstant;
    period_end: MaybeInstant;
    cancel_at_period_end: Generated<boolean>;
    suspended: Generated<boolean>;
    is_gift: Generated<boolean>;
    due_at: MaybeInstant;
    reminders: Generated<number>;
    tries: Generated<number>;
    next_product_id: string | null;
    next_entitlements: JsonColumns['subscription.next_entitlements'] | null;
    next_renewal: number | null;
    next_from: MaybeInstant;
    replaced_by: string | null;
    announced_renewal: number | null;
    announced_renewal_from: MaybeInstant;
    announced_vat_rate_bp: number | null;
    announced_vat_from: MaybeInstant;
    coming_renewal: Generated<number>;
    coming_vat_rate_bp: Generated<number>;
    reminded_at: MaybeInstant;
    announced_vat_day: string | null;
    label: string | null;
  };
  cancellation: {
    subscription_id: string;
    customer_id: string;
    version: number;
    reasons: string[];
    comment: string | null;
  };
  subscription_history: {
    subscription_id: string;
    customer_id: string;
    version: number;
    at: Instant;
    command: string;
    from_status: string;
    to_status: string;
    detail: Generated<JsonColumns['subscription_history.detail']>;
  };
  invoice: {
    id: string;
    customer_id: string | null;
    purpose: 'purchase' | 'renewal' | 'upgrade' | 'reactivation';
    order_id: string | null;
    subscription_id: string | null;
    period_start: MaybeInstant;
    period_end: MaybeInstant;
    status: 'draft' | 'open' | 'paid' | 'void';
    version: Generated<number>;
    reference: string;
    series: string | null;
    serial: number | null;
    number: string | null;
    currency: string;
    net: number;
    vat: number;
    total: number;
    credit_used: Generated<number>;
    prepaid: Generated<number>;
    prorated: Generated<number>;
    credited: Generated<number>;
    buyer: JsonColumns['invoice.buyer'];
    buyer_is: Generated<'known' | 'pseudonym' | 'nobody'>;
    seller: JsonColumns['invoice.seller'];
    language: string;
    created_at: Instant;
    issued_at: MaybeInstant;
    paid_at: MaybeInstant;
    documents_due_at: MaybeInstant;
    numbered_on: string | null;
    carried_out: Generated<number>;
    carried_in: Generated<number>;
    carried_ended: Generated<number>;
    carried_ended_at: MaybeInstant;
    with_ready: Generated<boolean>;
  };
  invoice_line: {
    invoice_id: string;
    customer_id: string | null;
    position: number;
    text: JsonColumns['invoice_line.text'];
    net: number;
    vat: number;
    vat_rate_bp: number;
    total: number;
  };
  number_series: {
    series: string;
    last: number;
    lost: Generated<number>;
  };
  credit_note: {
    id: string;
    invoice_id: string;
    customer_id: string;
    series: string;
    serial: number;
    number: string;
    reason: string;
    currency: string;
    net: number;
    vat: number;
    vat_rate_bp: number;
    total: number;
    seller: JsonColumns['credit_note.seller'];
    language: string;
    issued_at: Instant;
    credited: Generated<boolean>;
    pays_invoice_id: string | null;
    dispute_id: string | null;
    prorated: Generated<boolean>;
    numbered_on: string | null;
    ready_at: MaybeInstant;
  };
  document: {
    id: string;
    kind: 'invoice' | 'receipt' | 'creditNote';
    invoice_id: string;
    customer_id: string;
    credit_note_id: string | null;
    pdf: Buffer;
    sha256: string;
    made_at: Instant;
  };
  subscription_period: {
    subscription_id: string;
    customer_id: string;
    starts_at: Instant;
    ends_at: Instant;
    invoice_id: string;
    worth: number;
    upgraded_at: MaybeInstant;
    paid_until: MaybeInstant;
  };
  ledger_entry: {
    txn: string;
    position: number;
    account: 'provider' | 'fees' | 'revenue' | 'vat' | 'refundsDue' | 'credit' | 'reserved' | 'goodwill' | 'disputed' | 'writeOff' | 'outOfBand';
    provider: string | null;
    customer_id: string | null;
    currency: string;
    amount: number;
    created_at: Instant;
  };
  goodwill: {
    id: string;
    customer_id: string;
    currency: string;
    amount: number;
    reason: string;
    created_at: Instant;
  };
  account_credit: {
    customer_id: string;
    currency: string;
    amount: number;
  };
  reconciliation: {
    provider: 'stripe' | 'paypal' | 'btcpay';
    due_at: Instant;
    balance_due_at: Instant;
    payments_due_at: MaybeInstant;
  };
  paypal_certificate: {
    address: string;
    proved_at: Instant;
  };
  gateway_customer: {
    id: string;
    customer_id: string | null;
    provider: 'stripe' | 'paypal' | 'btcpay';
    provider_ref: string | null;
    tries: Generated<number>;
    created_at: Instant;
  };
  saved_method: {
    id: string;
    customer_id: string;
    method: 'card' | 'paypal';
    gateway_customer_id: string;
    provider_ref: string;
    fingerprint: string;
    brand: string | null;
    last4: string | null;
    expiry_month: number | null;
    expiry_year: number | null;
    holder: string | null;
    account: string | null;
    is_default: boolean;
    consent: JsonColumns['saved_method.consent'] | null;
    consented_at: MaybeInstant;
    created_at: Instant;
    notify_at: MaybeInstant;
  };
  method_to_forget: {
    id: string;
    method: 'card' | 'paypal';
    provider_ref: string;
    since: Instant;
  };
  card_saving: {
    ref: string;
    declines: Generated<number>;
    counted_for: string[];
    seen_at: Instant;
  };
  attempt: {
    id: string;
    invoice_id: string;
    customer_id: string | null;
    attempt_no: number;
    method: 'card' | 'paypal' | 'bitcoin' | 'promptpay';
    gateway_customer_id: string | null;
    saved_method_id: string | null;
    by_saved: Generated<boolean>;
    provider_ref: string | null;
    charge_ref: string | null;
    status: 'created' | 'open' | 'processing' | 'succeeded' | 'failed' | 'closed';
    version: Generated<number>;
    tries: Generated<number>;
    currency: string;
    amount: number;
    seen: Generated<number>;
    expires_at: MaybeInstant;
    received: Generated<number>;
    fee: number | null;
    unapplied: Generated<number>;
    failure: string | null;
    unattended: Generated<boolean>;
    hard: Generated<boolean>;
    asks_owner: Generated<boolean>;
    declines: Generated<number>;
    counted_for: Generated<string[]>;
    paid_with: JsonColumns['attempt.paid_with'] | null;
    created_at: Instant;
    updated_at: Instant;
    ask_at: MaybeInstant;
    gone: Generated<number>;
    by_link: Generated<boolean>;
  };
  receipt: {
    attempt_id: string;
    customer_id: string | null;
    provider_ref: string;
    currency: string;
    amount: number;
    received_at: Instant;
  };
  provider_event: {
    provider: string;
    event_id: string;
    type: string;
    about: 'payment' | 'refund' | 'dispute' | 'method' | 'saving';
    object_ref: string;
    own_id: string | null;
    moved: boolean;
    received_at: Instant;
    processed_at: MaybeInstant;
  };
  refund: {
    id: string;
    attempt_id: string;
    customer_id: string | null;
    currency: string;
    amount: number;
    reason: 'unapplied' | 'staff' | 'customer';
    credit_note_id: string | null;
    note_credited: Generated<boolean>;
    status: 'created' | 'pending' | 'succeeded' | 'failed';
    version: Generated<number>;
    tries: Generated<number>;
    provider_ref: string | null;
    failure: string | null;
    dispute_id: string | null;
    created_at: Instant;
    updated_at: Instant;
    ask_at: MaybeInstant;
  };
  out_of_band_refund: {
    id: string;
    invoice_id: string;
    customer_id: string | null;
    refund_id: string | null;
    currency: string;
    amount: number;
    reason: string;
    created_at: Instant;
    written_off: Generated<boolean>;
  };
  foreign_money: {
    provider: 'stripe' | 'paypal' | 'btcpay';
    ref: string;
    reason: string;
    said_at: Instant;
  };
  dispute: {
    id: string;
    attempt_id: string;
    provider_ref: string;
    status: 'inquiry' | 'open' | 'won' | 'lost';
    version: Generated<number>;
    currency: string;
    amount: number;
    withdrawn: number;
    fee: number;
    reason: string;
    respond_by: MaybeInstant;
    credit_taken: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
    ask_at: MaybeInstant;
    blocks_refunds: Generated<boolean>;
  };
  vpn_key: {
    id: string;
    subscription_id: string;
    customer_id: string;
    name: string;
    label: string | null;
    device: 'ios' | 'android' | 'windows' | 'macos' | 'linux' | 'chromeos' | null;
    address: number;
    forwarded_port: number | null;
    created_at: Instant;
    deleted_at: MaybeInstant;
    link_hash: Buffer | null;
    link_expires_at: MaybeInstant;
    notify_at: MaybeInstant;
    block_when_ended: Generated<boolean>;
    user_id: string | null;
  };
  certificate: {
    serial: string;
    key_id: string;
    customer_id: string;
    not_after: Instant;
    revoked: Generated<boolean>;
    profile_version: string;
  };
  host_authority: {
    id: Generated<boolean>;
    ca: string;
    ca_key_sealed: Buffer;
    tls_certificate: string;
    tls_key_sealed: Buffer;
  };
  host: {
    id: string;
    provider_id: string;
    region_id: string;
    vendor_id: string;
    status: 'enrolling' | 'active' | 'retired';
    draining: Generated<boolean>;
    dns: string[];
    machine: string | null;
    capacity: Generated<number>;
    weight: Generated<number>;
    enrol_hash: Buffer | null;
    enrol_expires_at: MaybeInstant;
    enrol_each_boot: Generated<boolean>;
    earlier_is_off: Generated<boolean>;
    certificate_hash: Buffer | null;
    previous_certificate_hash: Buffer | null;
    revision: Generated<number>;
    applied_revision: Generated<number>;
    drift: Generated<JsonColumns['host.drift']>;
    seen_at: MaybeInstant;
    no_logs_report: string | null;
    no_logs_signature: string | null;
    own_addresses: Generated<string[]>;
    agent_version: string | null;
  };
  fenced_host: {
    certificate_hash: Buffer;
    previous_certificate_hash: Buffer | null;
    host_id: string;
    seen_at: Instant;
    stopped_at: MaybeInstant;
  };
  pending_change: {
    id: Generated<number>;
    host_id: string;
    subscription_id: string | null;
    customer_id: string | null;
    revision: number | null;
    due_since: MaybeInstant;
    key_id: string | null;
    ends: Generated<boolean>;
  };
  address_pool: {
    id: string;
    prefix: string;
    prefix6: string | null;
    provider_id: string;
    region_id: string;
    vendor_id: string;
    host_id: string;
    port: Generated<number>;
    tcp_port: Generated<number | null>;
    routing: Generated<'static' | 'hcloud'>;
    moving_from: string | null;
    routed: Generated<boolean>;
  };
  static_ip: {
    address: string;
    pool_id: string;
    bind_address: string;
    subscription_id: string | null;
    customer_id: string | null;
    reserved_until: MaybeInstant;
    reserved_at_most: MaybeInstant;
    cooldown_until: MaybeInstant;
    notify_at: MaybeInstant;
  };
  subscription_identity: {
    subscription_id: string;
    customer_id: string;
    server_name: string;
    ca: string;
    ca_key_sealed: Buffer;
    tls_crypt_sealed: Buffer;
    ended_at: MaybeInstant;
  };
  assignment: {
    id: string;
    subscription_id: string;
    customer_id: string;
    host_id: string;
    slot: number;
    status: 'desired' | 'up' | 'failed' | 'leaving';
    down_since: MaybeInstant;
    delivery_ok: boolean | null;
    address: string;
    server_certificate: string;
    server_key_sealed: Buffer;
    server_not_after: Instant;
  };
  key_usage_day: {
    key_id: string;
    customer_id: string;
    day: string;
    epoch: string;
    down_bytes: number;
    up_bytes: number;
  };
  key_usage: {
    key_id: string;
    customer_id: string;
    month: string;
    down_bytes: number;
    up_bytes: number;
  };
  key_rate: {
    key_id: string;
    customer_id: string;
    rate_mbit: number;
  };
  usage_notice: {
    subscription_id: string;
    customer_id: string;
    month: string;
    percent: number;
  };
  job_request: {
    id: Generated<number>;
    customer_id: string;
    name: string;
    data: JsonColumns['job_request.data'];
  };
  node: {
    id: string;
    role: 'api' | 'worker' | 'all';
    version: string;
    seen_at: Instant;
  };
  backfill: {
    name: string;
    place: Generated<string>;
    moved: Generated<number>;
    done_at: MaybeInstant;
  };
  vat_change: {
    country: string;
    from_day: string;
    rate_bp: number;
  };
  gateway_movement: {
    provider: 'stripe' | 'paypal' | 'btcpay';
    id: string;
    kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'payoutReturned' | 'topUp' | 'bill' | 'adjustment' | 'reserve' | 'exchange';
    category: string;
    source_ref: string | null;
    currency: string;
    amount: number;
    sold_currency: string | null;
    sold_amount: number | null;
    rate: number | null;
    description: string | null;
    destination: string | null;
    moved_at: Instant;
    booked_at: Instant;
    arrived_at: MaybeInstant;
  };
  collected_email: {
    id: Generated<number>;
    customer_id: string;
    kind: string;
    template: string;
    subject_id: string;
    copy: Generated<string>;
    of_day: boolean;
    created_at: Instant;
    due_at: Instant;
    batch: string | null;
    sent_at: MaybeInstant;
  };
  place_notice: {
    id: string;
    region_id: string;
    email: string;
    language: string;
    token_hash: Buffer | null;
    asked: Generated<number>;
    asked_at: Instant;
    confirmed_at: MaybeInstant;
    expires_at: Instant;
  };
  audit_entry: {
    seq: number;
    at: Instant;
    actor: string;
    operation: string;
    phase: 'begun' | 'done';
    subject: string | null;
    before: JsonColumns['audit_entry.before'] | null;
    after: JsonColumns['audit_entry.after'] | null;
    detail_hash: string | null;
    previous: string;
    hash: string;
  };
  audit_detail: {
    seq: number;
    customer_id: string | null;
    at: Instant;
    operation: string;
    salt: string;
    detail: JsonColumns['audit_detail.detail'];
  };
  audit_read: {
    id: Generated<number>;
    at: Instant;
    actor: string;
    operation: string;
    customer_id: string;
  };
  sent_email: {
    message_id: string;
    template: string;
    subject_id: string;
    customer_id: string;
    sent_at: Instant;
  };
  staff_preview: {
    id: string;
    operation: string;
    actor: string;
    input: JsonColumns['staff_preview.input'];
    reason: string | null;
    plan_hash: string;
    created_at: Instant;
    expires_at: Instant;
    executed_at: MaybeInstant;
    result: JsonColumns['staff_preview.result'] | null;
  };
  suspension: {
    id: string;
    subscription_id: string;
    customer_id: string;
    cause: 'dispute' | 'abuse' | 'staff';
    reason: string;
    since: Instant;
    lifted_at: MaybeInstant;
    lifted_by_staff: Generated<boolean>;
  };
  block_entry: {
    id: string;
    kind: 'email' | 'card' | 'paypal';
    hash: Buffer;
    customer_id: string;
    reason: string;
    created_at: Instant;
    ends_at: MaybeInstant;
  };
  alert_delivery: {
    id: Generated<number>;
    channel: string;
    event: 'opened' | 'resolved' | 'summary' | 'digest';
    kind: string | null;
    subject: string | null;
    opening: number | null;
    summary_id: number | null;
    urgent: Generated<boolean>;
    created_at: Instant;
    tries: Generated<number>;
    tried_at: MaybeInstant;
    sent_at: MaybeInstant;
  };
  taken_addresses: {
    provider_id: string;
    region_id: string;
    vendor_id: string;
    day: string;
    taken: number;
  };
  backup: {
    file: string;
    made_at: Instant;
    bytes: number;
    copied_at: MaybeInstant;
  };
  shop_restore: {
    restored_at: Instant;
    backup_at: Instant;
    settled_at: MaybeInstant;
  };
  buyer_details: {
    customer_id: string;
    details: JsonColumns['buyer_details.details'];
    updated_at: Instant;
  };
  invoice_replacement: {
    id: string;
    invoice_id: string;
    customer_id: string;
    series: string;
    serial: number;
    number: string;
    numbered_on: string;
    replaces: string;
    company: JsonColumns['invoice_replacement.company'];
    seller: JsonColumns['invoice_replacement.seller'];
    reason: string;
    issued_at: Instant;
    pdf: Buffer | null;
    made_at: MaybeInstant;
  };
  allow_list: {
    customer_id: string;
    seed: string;
    token_hash: Buffer;
    created_at: Instant;
  };
  app_user: {
    id: string;
    email: string;
    language: string;
    password_hash: string | null;
    status: 'active' | 'disabled' | 'deleted';
    created_at: Instant;
    last_customer_id: string | null;
    name: string | null;
  };
  membership: {
    customer_id: string;
    user_id: string;
    role: 'member' | 'buyer' | 'owner';
    since: Instant;
    invited_by: string | null;
  };
  invitation: {
    id: string;
    customer_id: string;
    email: string;
    role: 'member' | 'buyer' | 'owner';
    subscription_id: string | null;
    devices: number | null;
    invited_by: string;
    token_hash: Buffer | null;
    created_at: Instant;
    expires_at: Instant;
  };
  email_change: {
    id: string;
    user_id: string;
    old_email: string;
    new_email: string;
    applied_at: MaybeInstant;
    undo_until: Instant;
  };
  place_day: {
    provider_id: string;
    region_id: string;
    vendor_id: string;
    day: string;
    watched_minutes: number;
    disturbed_minutes: number;
    last_minute: number;
  };
  device_allowance: {
    subscription_id: string;
    customer_id: string;
    user_id: string;
    devices: number;
  };
  legal_wording: {
    document: 'terms' | 'privacy';
    version: string;
    language: string;
    html: string;
    since: Instant;
  };
};
